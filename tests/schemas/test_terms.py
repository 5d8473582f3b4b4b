import pytest

from items import schema
from winoglot.errors import InputError

TEXT = "Ann rang Eve, since {she} [no longer |]heard her."


@pytest.mark.parametrize("segment", [["no longer", ""], ["no longer", None], "[no longer|]"])
def test_an_empty_alternative_has_no_term(segment):
    made = schema(TEXT, ["Ann", "Eve"], "en", terms={"segment": segment})
    assert [item.terms.segment for item in made.items] == ["no longer", None]
    with pytest.raises(InputError, match="candidate's term"):
        schema(TEXT, ["Ann", "Eve"], "en", terms={"candidates": ["ring", ""]})
