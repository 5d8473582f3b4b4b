"""Models small enough to build in a test, saved in a folder as `transformers` saves them.

Every builder takes the folder to write and the texts whose words its tokenizer is to know, and returns the folder as
text. Weights are drawn wider than usual, so that scores differ by more than rounding.
"""

import json
from collections import Counter
from string import ascii_letters

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

WIDTH = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
SPREAD = 0.2  # of the weights


def word_pieces(texts, size=400, framed=True):
    """A tokenizer of BERT's kind: words cut at signs, Chinese at characters, then into pieces.

    Its pieces are chosen here, for the library's trainer orders them differently every time.
    """
    special = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    made = Tokenizer(models.WordPiece())
    made.normalizer = normalizers.BertNormalizer(lowercase=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    letters, pieces = set(ascii_letters), Counter()
    for text in texts:
        for word, _ in made.pre_tokenizer.pre_tokenize_str(made.normalizer.normalize_str(text)):
            letters.update(word)
            pieces.update(word[:end] for end in range(2, len(word) + 1))
            pieces.update(f"##{word[start:]}" for start in range(1, len(word) - 1))
    best = sorted(pieces, key=lambda piece: (-pieces[piece] * len(piece), piece))
    single = [mark + letter for letter in sorted(letters) for mark in ("", "##")]
    vocabulary = [*special.values(), *single, *best][: max(size, len(special) + len(single))]
    made.model = models.WordPiece({piece: number for number, piece in enumerate(vocabulary)}, unk_token="[UNK]")
    if framed:
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[(token, made.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
        )
    made.decoder = decoders.WordPiece()
    tokens = {f"{name}_token": token for name, token in special.items()}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **tokens)


def byte_pieces(texts, size=400, *, special, frame=None, split=True):
    """A tokenizer of GPT-2's kind, over bytes; without `split`, pieces reach across words. Offsets are given."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(dict.fromkeys(special.values())),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    made.decoder = decoders.ByteLevel()
    if frame is not None:
        ends = [(token, made.token_to_id(token)) for token in frame]
        made.post_processor = processors.RobertaProcessing(ends[1], ends[0], trim_offsets=True, add_prefix_space=False)
    tokens = {f"{name}_token": token for name, token in special.items()}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **tokens)


def saved(folder, model, tokenizer):
    """Write both."""
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def bert(folder, texts, head="MaskedLM", seed=0, tokenizer=None, **config):
    """BERT with a head: MaskedLM, NextSentencePrediction, MultipleChoice, or PreTraining (the first two)."""
    tokenizer = tokenizer or word_pieces(texts)
    settings = {**WIDTH, **NO_DROPOUT, "initializer_range": SPREAD, "max_position_embeddings": 128, **config}
    torch.manual_seed(seed)
    made = transformers.BertConfig(vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id, **settings)
    model = transformers.BertModel if head == "Model" else getattr(transformers, f"BertFor{head}")
    return saved(folder, model(made), tokenizer)


def roberta(folder, texts, head="MaskedLM", seed=0, tokenizer=None, **config):
    """RoBERTa: byte pieces, one type of token, positions counted from behind the padding's."""
    special = {
        "bos": "<s>",
        "cls": "<s>",
        "pad": "<pad>",
        "eos": "</s>",
        "sep": "</s>",
        "unk": "<unk>",
        "mask": "<mask>",
    }
    tokenizer = tokenizer or byte_pieces(texts, special=special, frame=("<s>", "</s>"))
    settings = {**WIDTH, **NO_DROPOUT, "initializer_range": SPREAD, "max_position_embeddings": 130, **config}
    torch.manual_seed(seed)
    made = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        type_vocab_size=1,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        **settings,
    )
    return saved(folder, getattr(transformers, f"RobertaFor{head}")(made), tokenizer)


def gpt2(folder, texts, seed=0, tokenizer=None, **config):
    """GPT-2: byte pieces, one token that ends a document and begins a text."""
    end = "<|endoftext|>"
    tokenizer = tokenizer or byte_pieces(texts, special={"bos": end, "eos": end, "unk": end})
    settings = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 128, "initializer_range": SPREAD, **config}
    torch.manual_seed(seed)
    made = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        resid_pdrop=0.0,
        **settings,
    )
    return saved(folder, transformers.GPT2LMHeadModel(made), tokenizer)


def llama(folder, texts, seed=0, tokenizer=None, **config):
    """Llama: byte pieces, rotary positions, an output layer of its own; one token begins a text, another ends it."""
    tokenizer = tokenizer or byte_pieces(texts, special={"bos": "<s>", "eos": "</s>", "unk": "<unk>"})
    settings = {**WIDTH, "max_position_embeddings": 256, "initializer_range": SPREAD, **config}
    torch.manual_seed(seed)
    made = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        **settings,
    )
    return saved(folder, transformers.LlamaForCausalLM(made), tokenizer)


def xlnet(folder, texts, seed=0):
    """XLNet, which predicts words in any order."""
    tokenizer = word_pieces(texts)
    torch.manual_seed(seed)
    config = {"d_model": 32, "n_layer": 1, "n_head": 2, "d_inner": 32, "initializer_range": SPREAD}
    config = transformers.XLNetConfig(vocab_size=len(tokenizer), **config)
    return saved(folder, transformers.XLNetLMHeadModel(config), tokenizer)


def gguf_file(file, texts, seed=0):
    """A LLaMA in a GGUF file, as llama.cpp would write it, with byte pieces that know the words of the texts."""
    import gguf

    end = "<|end|>"
    made = json.loads(byte_pieces(texts, special={"bos": end, "eos": end}).backend_tokenizer.to_str())["model"]
    tokens = sorted(made["vocab"], key=made["vocab"].get)
    width, inner, heads = 32, 64, 2
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(128)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token == end else 1 for token in tokens])
    writer.add_token_merges([" ".join(pair) for pair in made["merges"]])
    writer.add_bos_token_id(tokens.index(end))
    writer.add_eos_token_id(tokens.index(end))
    shapes = {"token_embd": (len(tokens), width), "output": (len(tokens), width), "output_norm": (width,)}
    shapes |= {f"blk.0.{name}": (width, width) for name in ("attn_q", "attn_k", "attn_v", "attn_output")}
    shapes |= {"blk.0.ffn_gate": (inner, width), "blk.0.ffn_up": (inner, width), "blk.0.ffn_down": (width, inner)}
    shapes |= {"blk.0.attn_norm": (width,), "blk.0.ffn_norm": (width,)}
    generator = torch.Generator().manual_seed(seed)
    for name, shape in shapes.items():
        drawn = torch.randn(shape, generator=generator) * SPREAD + (1 if "norm" in name else 0)
        writer.add_tensor(f"{name}.weight", drawn.numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return str(file)
