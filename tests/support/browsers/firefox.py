"""Firefox by WebDriver BiDi: Debian's Firefox lacks what Playwright needs."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.browsers.tabs import PATIENCE
from tests.support.servers.processes import end_group, start

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

KEYS = {"Control": "\ue009", "Shift": "\ue008", "Enter": "\ue007", "Tab": "\ue004"}
"""Keys without a character, as WebDriver names them."""

ROLES = {
    "button": "button, summary, input",
    "cell": "td",
    "group": "fieldset, details, optgroup",
    "heading": "h1, h2, h3, h4, h5, h6",
    "link": "a, area",
    "region": "section",
    "rowheader": "th",
    "table": "table",
    "textbox": "input, textarea, [contenteditable]",
}
"""Selectors of the elements that have a role implicitly."""

QUIET = """
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""
"""Preferences that keep Firefox from contacting other hosts."""


class Firefox:
    def __init__(self, socket: ClientConnection) -> None:
        self._numbers = itertools.count(1)
        self._socket = socket
        self.send("session.new", capabilities={})

    def send(self, method: str, **parameters: object) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get("id") == number:
                assert answer["type"] == "success", f"{method}: {answer}"
                return answer["result"]


@contextmanager
def running(executable: str, profile: Path) -> Iterator[Firefox]:
    """Run a headless Firefox with a profile of its own."""
    from websockets.sync.client import connect  # slow: tests without Firefox do not wait for it

    (profile / "user.js").write_text(QUIET, encoding="utf-8")
    command = [executable, "--headless", "--no-remote", "--remote-debugging-port=0"]
    with (profile / "log").open("w", encoding="utf-8") as log:
        process = start([*command, "--profile", str(profile)], stdout=log, stderr=subprocess.STDOUT)
    try:
        with connect(address_in(profile / "log"), max_size=None) as socket:
            yield Firefox(socket)
    finally:
        end_group(process)


def address_in(log: Path) -> str:
    """Return where the browser listens, once it says so."""
    deadline = time.monotonic() + 3 * PATIENCE
    while time.monotonic() < deadline:
        address = re.search(r"listening on (ws://\S+)", log.read_text(encoding="utf-8"))
        if address:
            return f"{address[1]}/session"
        time.sleep(0.1)
    raise TimeoutError(f"Firefox does not answer:\n{log.read_text(encoding='utf-8')}")


class FirefoxTab:
    """A tab of Firefox, in a user context of its own; in front, for others run slowly."""

    def __init__(self, browser: Firefox) -> None:
        self.browser = browser
        self.user = browser.send("browser.createUserContext")["userContext"]
        made = browser.send("browsingContext.create", type="tab", userContext=self.user)
        self.id = made["context"]
        browser.send("browsingContext.activate", context=self.id)

    def goto(self, url: str) -> None:
        self.browser.send("browsingContext.navigate", context=self.id, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return a value that JSON can hold; a promise's own."""
        result = self.browser.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? null)()",
            target={"context": self.id},
            awaitPromise=True,
        )
        assert result["type"] == "success", f"{expression}: {result}"
        return json.loads(result["result"].get("value", "null"))

    def click(self, x: float, y: float, *, key: str = "", button: int = 0, times: int = 1) -> None:
        down, up = ({"type": kind, "button": button} for kind in ("pointerDown", "pointerUp"))
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)}, *[down, up] * times]
        self._act("pointer", [{"type": "pause"}, *moves], key)

    def press(self, key: str, times: int = 1) -> None:
        name = KEYS.get(key, key)
        down, up = ({"type": kind, "value": name} for kind in ("keyDown", "keyUp"))
        self._act("key", [down, up] * times, "")

    def _act(self, device: str, actions: list[Any], key: str) -> None:
        sources = [{"type": device, "id": device, "actions": actions}]
        if key:
            hold = [{"type": "pause"}] * (len(actions) - 1)
            down, up = ({"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp"))
            sources.append({"type": "key", "id": "held", "actions": [down, *hold, up]})
        self.browser.send("input.performActions", context=self.id, actions=sources)

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.browser.send("browsingContext.setViewport", context=self.id, viewport=size)

    def reload(self) -> None:
        self.browser.send("browsingContext.reload", context=self.id, wait="complete")

    def back(self, steps: int = 1) -> None:
        self.evaluate(f"void setTimeout(() => history.go({-steps}))")

    def addresses(self) -> list[str]:
        tabs = self.browser.send("browsingContext.getTree")["contexts"]
        return [tab["url"] for tab in tabs if tab["userContext"] == self.user]

    def named(self, role: str, name: str) -> int:
        # Only elements that may have the role: a search of all elements takes half a second.
        find = f"document.querySelectorAll('{ROLES[role]}, [role={role}]')"
        given: dict[str, Any] = {"target": {"context": self.id}, "awaitPromise": False}
        nodes = self.browser.send("script.evaluate", expression=find, **given)["result"]["value"]
        if not nodes:
            return 0
        given = {"context": self.id, "startNodes": [{"sharedId": n["sharedId"]} for n in nodes]}
        locator = {"type": "accessibility", "value": {"role": role, "name": name}}
        found = self.browser.send("browsingContext.locateNodes", locator=locator, **given)
        return len({node["sharedId"] for node in found["nodes"]})

    def close(self) -> None:
        self.browser.send("browser.removeUserContext", userContext=self.user)
