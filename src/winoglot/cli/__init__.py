"""The command line. Each module holds a group of commands, which parse, call and print.

- `main.py`: all commands in the order of the help, and what happens when one fails
- `options.py`, `completion.py`: options that commands share, and what shells complete
- `console.py`: tables and estimates
- `listing.py`, `collections.py`, `show.py`: `list`; `import`, `export`; `show`, `stats`, `readings`
- `write.py`, `review.py`: `new`, `status`; `review`
- `check.py`, `perturb.py`: `check`; `perturb`, `rename`, `switch`
- `demo.py`, `evaluate.py`, `analyse.py`: `demo`; `evaluate`; `analyse`
- `run_table.py`, `runs.py`: the table of runs; `compare`, `report`, `runs …`
- `experiment.py`: `run`
- `corpus.py`, `train.py`, `finetune.py`: `corpus …`; `train`, `perplexity`, `generate`, `context`; `finetune`
- `logic.py`, `logic_models.py`: `logic …`
- `study.py`, `study_results.py`: `study …`
"""
