"""The pages of a study: for participants and for the researcher."""
