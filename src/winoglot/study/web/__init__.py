"""The pages of a study, for participants and for the researcher.

- `app.py`: the application: routes, headers, pages for errors
- `connections.py`: closes slow connections
- `site.py`: what all pages share
- `sessions.py`: cookies, form tokens, rate limits
- `texts.py`: messages in the languages of the pages
- `participant.py`: the routes of a participation
- `questionnaire.py`: from a step to its page, and from its form to answers
- `login.py`: the researcher's session
- `dashboard.py`: the researcher's routes
- `snapshot.py`: what the researcher's pages show of the answers
- `figures.py`: numbers in words, and as places in drawings
"""
