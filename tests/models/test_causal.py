"""The causal scorer against a loop over plain calls of the library, one text a call."""

import numpy as np
import pytest
import torch
import transformers

from cases import listed
from model_questions import question
from tiny_models import bert, byte_pieces, gpt2, llama, saved, word_pieces, xlnet
from winoglot import InputError
from winoglot.models import causal
from winoglot.models.base import Options, TokenCount

TEXTS = [
    ("Ana não viu Eva porque {ela} estava [perto|longe].", ["Ana", "Eva"], "pt"),
    ("O tio pôs o livro na mala e na pasta e fechou-{a} 🎒.", ["a mala", "a pasta"], "pt"),
    ("Rosa waved to Lena until {she} left, said Ann.", ["Rosa", "Lena"], "en"),
    ("通话时小雯听不见思雨说话，因为{她}的扬声器坏了。", ["小雯", "思雨"], "zh"),
    ("Anne croit qu’{elle} dort à l’ombre de Zoé", ["Anne", "Zoé"], "fr"),
]


def questions():
    return [question(*one) for one in TEXTS]


def plain(texts):
    return [text.replace("{", "").replace("}", "") for text, *_ in texts]


def brute_force(folder, text):
    """The log probability and the first character of each token, one text a call."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    made = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    ids = torch.tensor([[start, *made["input_ids"]]])
    with torch.no_grad():
        logs = model(input_ids=ids).logits[0].log_softmax(-1)
    return [logs[at, token].item() for at, token in enumerate(ids[0, 1:])], made["offset_mapping"]


def gemma(folder, texts):
    tokenizer = byte_pieces(texts, special={"bos": "<bos>", "eos": "<eos>", "unk": "<unk>"})
    torch.manual_seed(1)
    config = transformers.Gemma3TextConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=6,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        sliding_window=16,
        initializer_range=0.2,
        max_position_embeddings=256,
    )
    return saved(folder, transformers.Gemma3ForCausalLM(config), tokenizer)


def bloom(folder, texts):
    """Its positions come from the plain mask, so that packed rows would be wrong."""
    tokenizer = byte_pieces(texts, special={"bos": "<s>", "eos": "</s>", "unk": "<unk>"})
    torch.manual_seed(2)
    config = transformers.BloomConfig(
        vocab_size=len(tokenizer), hidden_size=32, n_layer=2, n_head=2, initializer_range=0.2
    )
    return saved(folder, transformers.BloomForCausalLM(config), tokenizer)


@pytest.fixture(scope="module", params=[gpt2, llama, gemma, bloom], ids=lambda make: make.__name__)
def folder(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp(request.param.__name__), plain(TEXTS))


def test_scores_equal_a_loop_over_plain_calls(folder):
    solver = causal.load(str(folder), Options())
    for one, found in zip(questions(), solver.score(questions(), ["full", "partial", "normalised"]), strict=True):
        for index, reading in enumerate(one.readings):
            logs, offsets = brute_force(folder, reading.text)
            assert found["full"].values[index] == pytest.approx(sum(logs), abs=1e-4)
            assert found["normalised"].values[index] == pytest.approx(sum(logs) / len(logs), abs=1e-4)
            start = len(reading.text) - len(one.window.text) + found["partial"].skipped
            if found["partial"].values[index] is not None:
                inside = [log for log, (at, _) in zip(logs, offsets, strict=True) if at >= start]
                assert found["partial"].values[index] == pytest.approx(sum(inside), abs=1e-4)


def test_texts_are_continued_by_the_likeliest_tokens(folder):
    texts = [*plain(TEXTS), "Ana"]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    for text, made in zip(texts, causal.load(str(folder), Options()).continuations(texts), strict=True):
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        half = len(ids) // 2
        assert list(made.expected) == (ids[half:] if half else [])
        row = [start, *ids[:half]]
        for written in made.written:
            with torch.no_grad():
                assert written == model(input_ids=torch.tensor([row])).logits[0, -1].argmax().item()
            row.append(written)
            if written == tokenizer.eos_token_id:
                break
        else:
            assert len(made.written) == len(made.expected)


@pytest.mark.slow
@pytest.mark.parametrize("batch_tokens", [1, 7, 40, 100_000])
def test_batches_and_order_change_nothing(folder, batch_tokens):
    whole = causal.load(str(folder), Options()).score(questions(), ["full", "partial"])
    alone = causal.load(str(folder), Options()).score(questions(), ["partial"])
    for one, other in zip(whole, alone, strict=True):
        assert np.allclose(one["partial"].values, other["partial"].values, atol=1e-5)
    solver = causal.load(str(folder), Options(batch_tokens=batch_tokens))
    backwards = solver.score(questions()[::-1], ["full", "partial"])[::-1]
    for one, other in zip(whole, backwards, strict=True):
        for scoring in ("full", "partial"):
            assert np.allclose(one[scoring].values, other[scoring].values, atol=1e-4)


def test_a_model_whose_positions_come_from_its_own_mask_is_not_packed(tmp_path):
    assert not causal.load(str(bloom(tmp_path / "b", plain(TEXTS))), Options()).packed.packs
    assert causal.load(str(llama(tmp_path / "l", plain(TEXTS))), Options()).packed.packs


@pytest.mark.parametrize("bidirectional", [xlnet, bert])
def test_a_model_that_sees_what_follows_is_refused(tmp_path, bidirectional):
    folder = bidirectional(tmp_path, plain(TEXTS))
    with pytest.raises(InputError, match="sees what follows"):
        causal.load(folder, Options()).prepare()


def test_int8_is_near_float32_and_says_so(tmp_path):
    folder = str(llama(tmp_path, plain(TEXTS)))
    exact, rough = causal.load(folder, Options()), causal.load(folder, Options(precision="int8"))
    pairs = zip(exact.score(questions(), ["full"]), rough.score(questions(), ["full"]), strict=True)
    assert all(np.allclose(one["full"].values, other["full"].values, rtol=0.05) for one, other in pairs)
    assert (exact.settings["precision"], rough.settings["precision"]) == ("float32", "int8")


def test_the_same_weights_have_the_same_fingerprint_wherever_they_lie(tmp_path):
    one, other = llama(tmp_path / "a", plain(TEXTS)), llama(tmp_path / "b", plain(TEXTS))
    another = llama(tmp_path / "c", plain(TEXTS), seed=5)
    marks = [causal.load(str(folder), Options()).fingerprint for folder in (one, other, another)]
    assert marks[0] == marks[1] != marks[2]


def test_the_window_begins_at_a_token_boundary_of_all_readings(tmp_path):
    """Pieces that reach across words leave no boundary at the window's start."""
    tokenizer = byte_pieces(plain(TEXTS) * 20, 500, special={"bos": "<s>", "eos": "</s>", "unk": "<unk>"}, split=False)
    solver = causal.load(str(llama(tmp_path, [], tokenizer=tokenizer)), Options())
    found = solver.score(questions(), ["partial"])
    assert any(scores["partial"].skipped > 0 for scores in found)


def test_an_empty_window_is_undefined(tmp_path):
    solver = causal.load(str(llama(tmp_path, plain(TEXTS))), Options())
    (scores,) = solver.score([question("Ana viu Eva e riu {dela}", ["Ana", "Eva"], "pt", "grammatical")], ["partial"])
    found = scores["partial"]
    assert (found.values, found.note, found.choice(0)) == ((None, None), "empty window", None)


@listed
def test_what_cannot_be_loaded_is_an_input_error(tmp_path, location, precision, message):
    (tmp_path / "empty").mkdir()
    model = llama(tmp_path / "model", plain(TEXTS))
    broken = llama(tmp_path / "broken", plain(TEXTS))
    weights = tmp_path / "broken" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    places = {"EMPTY": str(tmp_path / "empty"), "MODEL": str(model), "BROKEN": str(broken)}
    with pytest.raises(InputError, match=message):
        causal.load(places.get(location, location), Options(precision=precision)).prepare()


def is_here(name):
    return torch.accelerator.is_available() and torch.accelerator.current_accelerator().type == name


def test_a_device_and_an_option_that_nobody_knows_are_refused(tmp_path):
    folder = str(llama(tmp_path, plain(TEXTS)))
    for device in ("gpu", "meta", *(name for name in ("mps", "xpu", "cuda") if not is_here(name))):
        with pytest.raises(InputError, match=f"no device '{device}'.* cpu"):
            causal.check(folder, Options(device=device))
    with pytest.raises(InputError, match="Did you mean 'shots'"):
        causal.load(folder, Options(more={"shot": "2"}))


def test_a_tokenizer_that_lacks_the_script_is_refused(tmp_path):
    tokenizer = word_pieces(["abc def"])
    tokenizer.bos_token = "[CLS]"
    solver = causal.load(str(llama(tmp_path, [], tokenizer=tokenizer)), Options())
    text = questions()[3].readings[0].text
    with pytest.raises(InputError, match="lacks the script"):
        solver.check_texts([text])
    many = [text, *["abc def"] * 200]
    solver.check_texts(many)  # judged together
    few = solver.count_tokens(many)
    assert few[1] == TokenCount(few[1].tokens, 0)
    assert 0 < few[0].unknown <= few[0].tokens
    solver.score(questions()[3:4], ["full"])


def test_a_hub_that_cannot_be_reached_is_named_at_once(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"'some/model' is not on this machine, and the hub cannot be reached.*folder"):
        causal.load("some/model", Options()).prepare()
