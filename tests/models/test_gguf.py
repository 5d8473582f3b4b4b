"""What is taken from a GGUF file: a tokenizer that has lost its merges must not be used."""

import pytest

import winoglot as wg

tokenizers = pytest.importorskip("tokenizers")
transformers = pytest.importorskip("transformers")


def tokenizer(pattern, behavior):
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"?": 0}, unk_token="?"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), behavior)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, unk_token="?")


def test_a_tokenizer_of_letters_is_refused_and_one_of_words_is_not():
    from winoglot.models.gguf import _check_tokenizer

    _check_tokenizer(tokenizer(r"\s+", "removed"), "9.9")
    with pytest.raises(wg.InputError, match=r"transformers 9\.9 reads this file's tokenizer letter by letter"):
        _check_tokenizer(tokenizer(r".", "isolated"), "9.9")
