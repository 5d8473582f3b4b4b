"""What is wrong with a file of pairs, ours or anybody's: one module a question, `report` asks them all."""
