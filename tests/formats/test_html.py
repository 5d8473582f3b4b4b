"""The readable page: complete, escaped, self-contained, marked so that colour is not the only sign."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

import winoglot as wg
from items import schema as written
from six_schemas import LANGUAGES, six
from strategies import some_collections
from winoglot.cli.show import answers_line
from winoglot.formats import html as html_format
from winoglot.loading import dump
from winoglot.schemas.marks import Mark, mark_text
from winoglot.schemas.model import Impossible

VOID = {"meta", "link", "br", "input"}
ATTACK = "</style></script><script>alert(1)</script><img src=x onerror=alert(2)> \"'&amp;"


class Page(HTMLParser):
    """The page as a browser takes it: elements with their attributes and texts; refuses unbalanced tags."""

    def __init__(self, source):
        super().__init__()
        self.elements = []
        self.open = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", **dict(attrs)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open.pop()["tag"] == tag

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def every(self, tag, **attributes):
        """Elements of a tag that have the classes and attributes."""
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element["tag"] == tag
            and all(value in (element.get(name) or "").split(" ") for name, value in wanted.items())
        ]

    def texts(self, tag, **attributes):
        return [element["text"] for element in self.every(tag, **attributes)]


def item(text="Nora threw Ines a rope because she was sinking.", **fields):
    start = text.index("she")
    given = {
        "pronoun": wg.Span(start, start + 3),
        "candidates": (wg.Candidate("Nora", (wg.Span(0, 4),)), wg.Candidate("Ines", (wg.Span(11, 15),))),
        "segment": (wg.Span(start + 8, len(text) - 1),),
        "answer": 1,
    }
    return wg.Item("rope.0", "rope", text=text, **(given | fields))


def collection(one, language="en", name="ropes", schema=None, **fields):
    return wg.Collection(name, language, (wg.Schema("rope", (one,), **(schema or {})),), **fields)


def unfolded(source):
    """The page with every folded part in its place, as the script puts it there."""
    packed = re.search(r'<script type="application/gzip" id="folded">(.*?)</script>', source)
    parts = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    source = source.replace(packed[0], "")
    for number, part in enumerate(parts):
        opening, closing = f'<details data-part="{number}">', "</details>"
        before, _, after = source.partition(opening)
        summary, _, rest = after.partition(closing)
        source = f"{before}<details>{summary}{part}{closing}{rest}"
    return source


def page(*made):
    return Page(unfolded(dump(made, "html")))


def test_pronoun_mentions_and_segment_are_marked_and_the_text_stays():
    text = dump([collection(item())], "html").partition("<main")[2]
    assert page(collection(item())).texts("p", class_="text") == ["Nora threw Ines a rope because she was sinking."]
    assert '<span class="pronoun">she</span>' in text
    assert '<span class="segment">sinking</span>' in text
    assert '<span class="candidate-a">Nora<sup data-letter="A"></sup></span>' in text
    assert '<span class="candidate-b">Ines<sup data-letter="B"></sup></span>' in text
    assert "Pronoun: she. Segment: sinking." in text
    zero = item("Nora ligou para Ines porque estava só, e she estava só.", pronoun=wg.Span(27, 27), segment=())
    text = dump([collection(zero, "pt")], "html").partition("<main")[2]
    assert 'porque<span class="pronoun"></span> estava' in text
    assert "Pronoun: not spoken." in text


def test_candidates_are_listed_the_right_one_is_ticked_and_an_unlabelled_item_says_so():
    found = page(collection(item()))
    (right,) = found.every("li", class_="right")
    assert right["text"] == "✓ Ines"
    assert found.texts("ul", class_="candidates") == ["Nora✓ Ines"]
    bare = page(collection(item(answer=None, candidates=(wg.Candidate("Nora"), wg.Candidate("Ines")))))
    assert bare.every("li", class_="right") == []
    assert "No answer is given." in bare.texts("p", class_="note")
    assert "Nora (not mentioned)" in bare.texts("li")


def test_everything_an_item_carries_is_on_the_page():
    one = item(
        question="Who was sinking?",
        hypotheses=("Nora sank.", "Ines sank."),
        readings=(wg.WrittenReading("Because Nora was sinking.", wg.Span(8, 12)), None),
        inferences=(wg.Inference("A rope flew.", "Somebody threw it.", True),),
        terms=wg.Terms(("nora-term", "ines-term"), "sink-term"),
        phrase=wg.Span(16, 22),
        tags=("causal", "names"),
        source=wg.Source("Old ropes", "17"),
    )
    schema = {
        "explanation": "Who sinks needs a rope.",
        "note": "Checked twice.",
        "impossible": (Impossible("voice", "No passive here."),),
        "source": wg.Source("Ropes, book one"),
    }
    made = collection(one, schema=schema, description="About ropes.", licence="CC0-1.0", citation="Rope (2026).")
    (body,) = page(made).texts("body")
    for wanted in ("Who was sinking?", "Nora sank.", "Because Nora was sinking.", "A rope flew.", "Somebody threw it."):
        assert wanted in body
    for wanted in ("nora-term", "ines-term", "sink-term", "a rope", "causal", "names", "Old ropes, 17", "entails"):
        assert wanted in body
    for wanted in ("Who sinks needs a rope.", "Checked twice.", "No passive here.", "Ropes, book one"):
        assert wanted in body
    for wanted in ("About ropes.", "CC0-1.0", "Rope (2026).", made.hash, "1 schema, 1 item", "1: 1"):
        assert wanted in body


def test_variants_are_folded_away_with_what_they_do_to_the_answer():
    found = page(six("pt"))
    (folded,) = [element for element in found.every("details") if element["text"].startswith("Variants")]
    assert folded["text"].startswith("Variants: 2 switched, 2 relative")
    assert "open" not in folded
    assert "call-microphone.0~switched · switched, flips the answer" in folded["text"]
    assert len(found.every("p", class_="text")) == 16


def test_items_without_a_text_show_their_readings_or_pairs():
    readings = (wg.WrittenReading("Nora sank.", wg.Span(0, 4)), wg.WrittenReading("Ines sank."))
    found = page(collection(wg.Item("rope.0", "rope", readings=readings, answer=1)))
    assert found.texts("p", class_="text") == ["Nora sank.", "Ines sank."]
    assert found.texts("li", class_="right") == ["✓ reading B"]
    pairs = page(collection(wg.Item("rope.0", "rope", inferences=(wg.Inference("It rained.", "It was wet.", False),))))
    assert "It rained. does not entail It was wet." in pairs.texts("dd")


def test_what_a_collection_brings_in_can_do_nothing():
    one = item(
        f"Nora threw Ines she {ATTACK}",
        segment=(),
        candidates=(wg.Candidate(ATTACK), wg.Candidate("Ines")),
        question=ATTACK,
        hypotheses=(ATTACK, ATTACK),
        readings=(wg.WrittenReading(ATTACK, wg.Span(3, 9)), None),
        inferences=(wg.Inference(ATTACK, ATTACK),),
        terms=wg.Terms((ATTACK, ATTACK), ATTACK),
        source=wg.Source(ATTACK, ATTACK),
    )
    schema = {"explanation": ATTACK, "note": ATTACK, "source": wg.Source(ATTACK)}
    schema["impossible"] = (Impossible("voice", ATTACK),)
    made = collection(one, schema=schema, description=ATTACK, licence=ATTACK, citation=ATTACK, provenance=(ATTACK,))
    source = unfolded(dump([made], "html"))
    found = Page(source)
    assert len(found.every("script")) == 1
    assert found.every("img") == []
    assert not [one for one in found.elements if any(name.startswith("on") for name in one)]
    assert found.texts("body")[0].count(ATTACK) == 21  # each of the places above, once
    assert source.count("alert(1)") == source.count("&lt;script&gt;alert(1)")


def test_every_text_is_on_the_page_exactly_as_it_is():
    for made in some_collections():
        found = page(made)
        expected = []
        for schema in made.schemas:
            for one in (*schema.items, *schema.variants):
                expected += [reading.text for reading in one.readings if reading] if one.text is None else [one.text]
        assert found.texts("p", class_="text") == expected
        assert len(found.every("script")) == 1
        anchors = [element["id"] for element in found.elements if "id" in element]
        assert len(set(anchors)) == len(anchors)


def test_marks_that_cross_are_closed_and_opened_again():
    marks = [Mark(wg.Span(0, 3), "a"), Mark(wg.Span(2, 5), "b", "B"), Mark(wg.Span(5, 5), "c")]
    html = mark_text("abcdef", marks)
    assert html == (
        '<span class="a">ab<span class="b">c</span></span>'
        '<span class="b">de<sup data-letter="B"></sup></span><span class="c"></span>f'
    )
    assert Page(html).texts("span", class_="b") == ["c", "de"]


def test_texts_say_their_language_and_find_their_direction():
    found = page(six("pt"))
    assert {element["lang"] for element in found.every("div", class_="version")} == {"pt-BR"}
    assert {one["dir"] for one in found.every("p", class_="text")} == {"auto"}
    assert found.every("html")[0]["lang"] == "en"


def test_several_collections_stand_side_by_side_by_parallel_id():
    found = page(*map(six, LANGUAGES))
    assert len(found.every("article")) == 6
    assert len(found.every("div", class_="version")) == 24
    assert found.every("article")[0]["id"] == "schema-call-microphone"
    (choice,) = found.every("select", name="language")
    assert choice["text"] == "allenfrpt-BRzh"
    found = page(six("en"), collection(item(), name="others", language="fr"))
    assert len(found.every("article")) == 7
    assert found.texts("p", class_="note").count("Not in this collection.") == 7


def test_a_collection_alone_has_no_choice_of_language_but_one_of_tags():
    found = page(six("en"))
    assert found.every("select", name="language") == []
    (choice,) = found.every("select", name="tag")
    assert choice["text"].startswith("all")
    assert "physical" in choice["text"]
    assert found.every("article")[0].keys() >= {"id", "aria-labelledby"}
    assert "switchable" in found.every("div", class_="version")[0]["data-tags"].split()
    assert page(collection(item())).every("select") == []
    assert html_format.write(six("en")) == html_format.write_several([six("en")])
    assert not hasattr(html_format, "read")


def test_the_page_needs_nothing_from_anywhere_and_only_its_own_script_and_style_may_act():
    source = unfolded(dump(list(map(six, LANGUAGES)), "html"))
    found = Page(source)
    assert not re.search(r"https?://|@import|url\(", source)
    assert all(one["href"] == "data:," or one["href"].startswith("#") for one in found.elements if "href" in one)
    assert not [one for one in found.elements if "src" in one]
    (policy,) = [one["content"] for one in found.every("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    for tag in ("style", "script"):
        (text,) = found.texts(tag)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert len(re.findall(r"<label>\w+ <(?:input|select) ", source)) == 3
    (form,) = found.every("form")
    assert "hidden" in form  # until the script shows it
    assert form["aria-label"]


def with_candidates(count):
    """A collection with one item that has that many candidates."""
    names = ["Ana", "Bia", "Eva", "Ida", "Lia", "Rui", "Zoe"][:count]
    made = written(f"{' viu '.join(names)} e {{ela}} riu.", names, answers=[0])
    return wg.Collection("many", "pt", (made,))


@pytest.mark.parametrize("count", [2, 3, 7])
def test_a_candidate_has_a_letter_in_the_legend_in_the_text_and_in_a_terminal(count):
    collection = with_candidates(count)
    found = page(collection)
    letters = [element["data-letter"] for element in found.every("sup") if "data-letter" in element]
    assert letters == 3 * list("ABCDEFG"[:count])
    looks = [element["class"] for element in found.every("bdi") if "class" in element]
    assert looks == 2 * [f"candidate-{end}" for end in ("a", "b", *["more"] * (count - 2))]
    assert re.findall(r"(\w) [A-Z]\w\w", answers_line(collection.items[0]).plain) == list("ABCDEFG"[:count])


def test_two_languages_are_less_than_a_megabyte_with_an_index_and_all_variants():
    source = dump([wg.load("winoglot-pt"), wg.load("winoglot-fr")], "html")
    assert len(source.encode()) < 1_000_000
    found = Page(source)
    names = found.texts("article")
    assert [link["href"] for link in found.every("a") if link["href"].startswith("#schema-")][: len(names)] == [
        f"#{article['id']}" for article in found.every("article")
    ]
    variants = sum(len(collection.variants()) for collection in map(wg.load, ("winoglot-pt", "winoglot-fr")))
    assert unfolded(source).count('<p class="text"') == 640 + variants
