"""What families that ask in words, or ask a server, share: the client, prompts, examples and answers."""
