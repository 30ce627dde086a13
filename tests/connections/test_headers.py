"""The headers that every response has."""

import urllib.error
import urllib.request

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from ui.headers import Guarded


@pytest.mark.parametrize("path", ["/", "/compare", "/_stcore/health", "/favicon.png"])
def test_a_response_says_what_a_page_may_do(app_url: str, path: str):
    with urllib.request.urlopen(app_url + path) as response:
        headers = response.headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/x/_stcore/metrics"])
def test_what_the_server_measures_is_nobody_elses(app_url: str, path: str):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(app_url + path)


async def test_a_response_to_a_request_that_fails_has_them_too():
    def fails(_):
        raise OSError("/home/somebody")

    app = Starlette(routes=[Route("/", fails)], middleware=[Middleware(Guarded)])
    inside = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=inside, base_url="http://testserver") as client:
        response = await client.get("/")
    assert (response.status_code, response.text) == (500, "Internal Server Error")
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
