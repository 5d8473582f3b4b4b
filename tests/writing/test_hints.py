from winoglot import registry
from winoglot.writing.hints import hints


def test_every_language_with_a_folder_has_hints_of_its_own():
    general = hints("tlh")
    for language in registry.names("languages"):
        assert hints(language) != general, language
        assert len(hints(language)) >= 4
