"""The command line. `main` lists the commands; each module holds a group of them, which parse, call and print.

| module | commands |
| --- | --- |
| `collections` | `list`, `import`, `export` |
| `show` | `show`, `stats`, `readings` |
| `write`, `review` | `new`, `status`; `review`, `review export`, `review import` |
| `check`, `perturb` | `check`; `perturb`, `rename`, `switch` |
| `evaluate`, `run_table` | `evaluate`, `demo`; the table that both print |
| `runs` | `compare`, `report`, `runs import`, `runs list` |
| `corpus`, `train`, `logic` | `corpus …`; `train`, `perplexity`, `generate`, `context`; `logic …` |
| `options`, `console` | options that commands share; tables and estimates |
"""
