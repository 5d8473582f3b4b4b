"""The client of a server: connections are closed, the first error ends a batch, notebooks are no obstacle."""

import asyncio
import time

import httpx
import pytest

from winoglot.errors import InputError
from winoglot.models.servers.client import Client, Serving


@pytest.fixture
def serve(monkeypatch):
    """A client whose requests are answered by a function of their body; also all connections that it made."""
    made = []
    plain = httpx.AsyncClient

    def serve(answer, **serving):
        async def handle(request):
            return await answer(request.read().decode())

        def client(**keys):
            made.append(plain(**keys, transport=httpx.MockTransport(handle)))
            return made[-1]

        monkeypatch.setattr(httpx, "AsyncClient", client)
        return Client("http://localhost/v1", Serving(backoff=0.01, **serving)), made

    return serve


async def echo(body):
    return httpx.Response(200, json={"said": body})


def test_answers_come_in_the_order_of_their_requests_and_connections_are_closed(serve):
    async def later_first(body):
        await asyncio.sleep(0.05 if '"1"' in body else 0)
        return await echo(body)

    client, made = serve(later_first)
    said = client.post_all("chat", [{"n": str(number)} for number in range(5)], lambda answer: answer["said"])
    assert [f'"{number}"' in text for number, text in enumerate(said)] == [True] * 5
    assert made
    assert all(http.is_closed for http in made)


def test_the_first_error_ends_a_batch_and_nothing_waits_for_what_hangs(serve):
    async def hang(body):
        await asyncio.sleep(0 if "bad" in body else 600)
        return httpx.Response(401)

    client, made = serve(hang)
    with pytest.raises(InputError, match="401"):
        client.post_all("chat", [{"a": "slow"}, {"a": "bad"}, {"a": "slow"}], lambda answer: answer)
    assert client.spent["requests"] <= 3
    assert all(http.is_closed for http in made)


def test_a_request_waits_as_long_as_the_server_asked_another_to(serve):
    times = []

    async def busy(body):
        times.append(time.monotonic())
        return httpx.Response(429, headers={"Retry-After": "0.3"}) if len(times) == 1 else await echo(body)

    client, _ = serve(busy, concurrency=1)
    client.post_all("chat", [{"a": 1}, {"a": 2}], lambda answer: answer)
    assert times[1] - times[0] >= 0.3
    assert client.spent["requests"] == 3
    assert client.spent["retries"] == 1


def test_it_can_be_used_where_an_event_loop_runs_already(serve):
    client, _ = serve(echo)

    async def notebook():
        return client.post("chat", {})

    assert asyncio.run(notebook()) == {"said": "{}"}


def test_tokens_cost_what_the_prices_say(serve):
    async def priced(body):
        return httpx.Response(200, json={"usage": {"prompt_tokens": 2_000_000, "completion_tokens": 500_000}})

    client, _ = serve(priced, price_in=0.5, price_out=2.0)
    client.post("chat", {})
    assert client.spent["cost"] == 2.0
    assert "cost" not in serve(priced)[0].spent
