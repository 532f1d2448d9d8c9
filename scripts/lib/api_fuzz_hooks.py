"""Hooks of schemathesis for scripts/api-fuzz, which sets their environment.

They restore what requests of the fuzzer need and other requests have removed, record what was answered, and check that no
valid request is refused as malformed.
"""

import atexit
import collections
import http.client
import json
import os
import socket
import time

import schemathesis
from schemathesis.core.failures import Failure

SOCKET = os.environ["STORECTL_HOME"] + "/run/stored.sock"
STORE = os.environ["API_FUZZ_STORE"]
ARCHIVES = os.environ["API_FUZZ_ARCHIVES"]
ANSWERS = os.environ["API_FUZZ_ANSWERS"]

# The number of responses to valid requests, by operation and status.
answers = collections.defaultdict(collections.Counter)
atexit.register(lambda: json.dump(answers, open(ANSWERS, "w", encoding="utf-8"), indent=1))

# MARK: Preconditions


class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(20)
        self.sock.connect(SOCKET)


def ask(method, path, body=None):
    """Sends a request of its own; returns the status and the document, `None` without one."""
    connection = Connection("stored")
    data = None if body is None else json.dumps(body)
    headers = {} if body is None else {"Content-Type": "application/json"}
    connection.request(method, path, data, headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, json.loads(text) if text else None


def store():
    """Adds the store "shop" if it was removed or replaced."""
    status, shop = ask("GET", "/v1/stores/shop")
    if status == 200 and shop["url"].rstrip("/") == STORE.rstrip("/"):
        return
    ask("DELETE", "/v1/stores/shop")
    ask("POST", "/v1/stores", {"name": "shop", "url": STORE, "unsigned": True})


def install(identifier, **wanted):
    status, _ = ask("POST", "/v1/downloads", {"productIdentifier": identifier, **wanted})
    for _ in range(200):
        status, download = ask("GET", "/v1/downloads/" + identifier)
        if status != 200 or download["activity"] is None:
            return
        if download["activity"] == "paused":
            ask("PATCH", "/v1/downloads/" + identifier, {"paused": False})
        time.sleep(0.01)


def installed(identifier):
    store()
    if ask("GET", "/v1/packs/" + identifier)[0] != 200:
        install(identifier, store="shop")


def previous(identifier):
    """Installs two versions from local archives, so that there is a previous version."""
    ask("DELETE", "/v1/packs/" + identifier)
    for version in ("1.0.0", "2.0.0"):
        install(identifier, file=f"{ARCHIVES}/{identifier}-{version}.zip")


def downloading(identifier):
    """Begins a download that takes a day."""
    store()
    ask("DELETE", "/v1/packs/" + identifier)
    ask("POST", "/v1/downloads", {"productIdentifier": identifier, "store": "shop", "rateLimit": 1})


def sent(sticker):
    """Makes a sticker a recent one."""
    installed("cups")
    ask("POST", "/v1/stickers/sent", {"stickers": [{"productIdentifier": "cups", "sticker": sticker}]})


PRECONDITIONS = {
    "DELETE /v1/stickers/recents/{id}/{sticker}": ("sticker", {"smile": sent}),
    "DELETE /v1/downloads/{id}": ("id", {"barrels": downloading}),
    "PATCH /v1/downloads/{id}": ("id", {"barrels": downloading}),
    "POST /v1/packs/{id}/rollback": ("id", {"bowls": previous}),
    "DELETE /v1/purchases/{id}": ("id", {"forks": lambda identifier: ask("PUT", "/v1/purchases/" + identifier)}),
    **{
        operation: ("id", {"cups": installed, "plates": installed})
        for operation in (
            "GET /v1/packs/{id}",
            "PATCH /v1/packs/{id}",
            "DELETE /v1/packs/{id}",
            "GET /v1/packs/{id}/files/{path}",
            "POST /v1/packs/{id}/verify",
            "POST /v1/packs/{id}/repair",
            "GET /v1/stickers/{id}",
        )
    },
    **{
        operation: ("id", {"smileys": installed})
        for operation in (
            "GET /v1/emoji/{id}",
            "GET /v1/emoji/{id}/images/{number}",
            "GET /v1/emoji/{id}/pictures/{emoji}",
            "GET /v1/emoji/{id}/categories",
            "GET /v1/emoji/{id}/search",
        )
    },
    **{
        operation: (name, {"shop": lambda _: store()})
        for operation, name in (
            ("GET /v1/products/{store}/{id}", "store"),
            ("GET /v1/products/{store}/{id}/icon", "store"),
            ("GET /v1/products/{store}/{id}/image", "store"),
            ("GET /v1/products/{store}/{id}/sprite", "store"),
            ("GET /v1/products/{store}/{id}/previews/{number}", "store"),
            ("GET /v1/stores/{name}", "name"),
            ("DELETE /v1/stores/{name}", "name"),
        )
    },
    "GET /v1/products/{id}": ("id", {"cups": lambda _: store(), "plates": lambda _: store()}),
}


@schemathesis.hook
def before_call(context, case, kwargs):
    # Sequences of requests depend on what they did themselves.
    if case.meta is not None and case.meta.phase.name.value == "stateful":
        return
    name, actions = PRECONDITIONS.get(case.operation.label, ("", {}))
    value = (case.path_parameters or {}).get(name)
    if isinstance(value, str) and value in actions:
        actions[value](value)
    # No dictionary can have the boolean without which an unsigned store is refused.
    if case.operation.label == "POST /v1/stores" and case.meta is not None and case.meta.generation.mode.is_positive:
        if isinstance(case.body, dict) and str(case.body.get("url", "")).rstrip("/") == STORE.rstrip("/"):
            case.body["unsigned"] = True


# MARK: Answers


@schemathesis.hook
def after_call(context, case, response):
    is_valid = case.meta is None or case.meta.generation.mode.is_positive
    if is_valid and case.method == case.operation.method.upper():
        answers[case.operation.label][str(response.status_code)] += 1


class RefusedAsMalformed(Failure):
    pass


@schemathesis.check
def valid_request_is_not_malformed(ctx, response, case):
    """A request that the document allows may be refused for what it names, but not as one that is malformed."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    if case.method != case.operation.method.upper():
        return
    # Which members of the request go together depends on the action, which the document says in words.
    if case.operation.label == "POST /v1/plans":
        return
    problem = response.json()
    # The token of a page is only valid if an earlier response had it, and only a request with a file needs no identifier.
    # A schema can't express either; the document says so in words.
    in_words = ["'productIdentifier' must not be empty"] + (["'after'"] if "after" in (case.query or {}) else [])
    if problem["code"] == "request.malformed" and not any(text in problem["detail"] for text in in_words):
        raise RefusedAsMalformed(operation=case.operation.label, title="Valid request refused", message=problem["detail"])
