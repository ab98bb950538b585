"""The pages that a client of MCP Apps shows: what they hold, for whom, and how they talk to the host."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape, unescape
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from tests.builders import AREAS, PEOPLE, begin, documents
from tests.mcp.harness import ERAS, Era, begin_sample, server_of, talk, turns_of_sample
from tests.mcp.node_tools import APPS_HOST, node_with
from tests.mcp.worlds import EVERY_TOOL

from mcp import Client
from turnwright import Campaign
from turnwright.mcp.apps import APP_PAGES, SCHEME, read_app_page
from turnwright.mcp.door import Door
from turnwright.mcp.resources import read_resource

FIGHTING = 10
"""The turns of the barrow after which its fight runs."""
PLAYER = "player:sigrun"
EVIL = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(name="barrow", scope="module")
def fixture_barrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Campaign, Path]]:
    path = tmp_path_factory.mktemp("apps") / "barrow"
    with begin_sample(path, "barrow") as campaign:
        for turn in turns_of_sample("barrow")[:FIGHTING]:
            campaign.process(turn.read_bytes())
        yield campaign, path


def page(campaign: Campaign, name: str, authority: str = "gm") -> str:
    return read_app_page(Door(campaign, authority), SCHEME + name).text


def data_of(text: str) -> dict[str, Any]:
    """Return the data in a page, its pictures as SVG."""
    (told,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    data: dict[str, Any] = json.loads(told)
    return {**data, "pictures": [b64decode(one["svg"]).decode() for one in data["pictures"]]}


@pytest.mark.parametrize("era", ERAS)
def test_tools_name_pages_that_can_be_read(barrow: tuple[Campaign, Path], era: Era) -> None:
    async def look(client: Client) -> None:
        assert client.server_capabilities is not None
        extensions = client.server_capabilities.extensions or {}
        if era == "modern":  # the handshake of the older versions has no place for it
            assert extensions["io.modelcontextprotocol/ui"] == {"mimeTypes": ["text/html;profile=mcp-app"]}
        linked = {tool.name: tool.meta["ui"]["resourceUri"] for tool in (await client.list_tools()).tools if tool.meta}
        assert (linked["move"], linked["execute_action"]) == (f"{SCHEME}map", f"{SCHEME}battlefield")
        listed = {one.uri: one for one in (await client.list_resources()).resources}
        assert set(linked.values()) <= {uri for uri in listed if uri.startswith(SCHEME)} == {*map(uri_of, APP_PAGES)}
        for uri in map(uri_of, APP_PAGES):
            (read,) = (await client.read_resource(uri)).contents
            assert isinstance(read, types.TextResourceContents)
            assert read.mime_type == listed[uri].mime_type == "text/html;profile=mcp-app"
            assert read.meta == listed[uri].meta == {"ui": {"csp": {}, "prefersBorder": True}}
        for missing in ("ui://turnwright/", "ui://turnwright/map/1", "ui://other/map"):
            with pytest.raises(MCPError, match="no resource"):
                await client.read_resource(missing)

    talk(server_of(*barrow), era, look)


def uri_of(name: str) -> str:
    return SCHEME + name


@pytest.mark.parametrize("authority", ["gm", PLAYER])
def test_a_page_shows_what_the_resources_of_the_role_show(barrow: tuple[Campaign, Path], authority: str) -> None:
    campaign, _ = barrow
    door = Door(campaign, authority)
    assert data_of(page(campaign, "map", authority))["pictures"] == [read_resource(door, "turnwright://map.svg").text]
    assert data_of(page(campaign, "party", authority))["people"] == json.loads(
        read_resource(door, "turnwright://party").text
    )
    (fight,) = data_of(page(campaign, "battlefield", authority))["pictures"]
    assert "data-token" in fight


def test_a_player_sees_less_than_the_game_master(barrow: tuple[Campaign, Path]) -> None:
    campaign, _ = barrow
    everything, seen = page(campaign, "map"), page(campaign, "map", PLAYER)
    assert set(re.findall(r'data-area="([^"]*)"', data_of(seen)["pictures"][0])) < set(
        re.findall(r'data-area="([^"]*)"', data_of(everything)["pictures"][0])
    )


@pytest.mark.parametrize("name", APP_PAGES)
def test_a_page_reaches_no_other_address_and_runs_its_own_script_alone(
    barrow: tuple[Campaign, Path], name: str
) -> None:
    text = page(barrow[0], name)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert (rules["script-src"], rules["style-src"]) == (digest(script), digest(style))
    assert not re.search(r"https?:|<link|<iframe|\bsrc=|\bon\w+=|innerHTML|fetch\(", text)


def digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def hostile_table(path: Path) -> Campaign:
    """Begin a campaign in which names are markup."""
    people, areas = ([{**one, "name": EVIL} for one in each] for each in (PEOPLE, AREAS))
    return begin(path, documents(people, areas, title=EVIL, allowlist=EVERY_TOOL))


def test_names_end_no_element(tmp_path: Path) -> None:
    with hostile_table(tmp_path / "home") as campaign:
        for name in APP_PAGES:
            text = page(campaign, name)
            assert text.count("<script") == text.count("</script>") == 2
            assert "onerror" not in text.replace(
                json.dumps(EVIL)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e"), ""
            )
        assert data_of(page(campaign, "party"))["people"][0]["name"] == EVIL


# in a browser

HOST = """<!doctype html><meta charset="utf-8"><iframe %s srcdoc="%s"></iframe><pre id="heard"></pre><script>
const PAGES = %s, heard = [], frame = document.querySelector("iframe"), pre = document.querySelector("#heard");
const LOOKS = {theme: "dark", styles: {variables: {
  "--color-background-primary": "rgb(1, 2, 3)", "display": "none"}}};
const send = (message) => frame.contentWindow.postMessage({jsonrpc: "2.0", ...message}, "*");
addEventListener("securitypolicyviolation", (event) => heard.push({violation: event.violatedDirective}));
addEventListener("message", ({data}) => {
  heard.push(data);
  if (data.method === "ui/initialize") send({id: data.id, result: {protocolVersion: "2026-01-26",
    hostInfo: {name: "test", version: "1"}, hostCapabilities: {serverResources: {}}, hostContext: LOOKS}});
  if (data.method === "ui/notifications/initialized") {
    send({id: "p", method: "ping"});
    send({id: "t", method: "tools/list"});
    send({method: "ui/notifications/tool-result", params: {content: []}});
  }
  if (data.method === "resources/read")
    send({id: data.id, result: {contents: [{uri: data.params.uri, text: PAGES.pop()}]}});
});
setTimeout(() => {
  let shown = null, looks = null;
  try {
    const inside = frame.contentDocument, style = frame.contentWindow.getComputedStyle;
    shown = inside.querySelector("main").innerText;
    looks = {theme: inside.documentElement.dataset.theme, background: style(inside.body).backgroundColor,
      display: style(inside.documentElement).display};
  } catch {}
  pre.textContent = JSON.stringify({heard, shown, looks, title: document.title});
}, 1500);
</script>"""
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: `make browser` gets it")


def dom_of(place: Path, content: str) -> str:
    """Return a page as Chromium leaves it after some seconds of its own time."""
    assert CHROMIUM is not None
    file = place / "page.html"
    file.write_text(content, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--dump-dom"]
    options.append("--disable-features=IsolateSandboxedIframes")  # virtual time waits for no other process
    home = f"--user-data-dir={place / 'browser'}"
    run = subprocess.run(
        [CHROMIUM, *options, home, file.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    return run.stdout


def hosted(place: Path, first: str, later: str, *, is_sandboxed: bool) -> dict[str, Any]:
    """Return what a host heard of a page that it showed, and what it showed in the end."""
    pages = json.dumps([later]).replace("<", "\\u003c")
    frame = 'sandbox="allow-scripts"' if is_sandboxed else ""
    told = dom_of(place, HOST % (frame, escape(first, quote=True), pages))
    (text,) = re.findall(r'<pre id="heard">(.*?)</pre>', told, re.DOTALL)
    found: dict[str, Any] = json.loads(unescape(text))
    return found


@NEEDS_CHROMIUM
@pytest.mark.slow
def test_a_page_alone_shows_its_people_and_runs_no_name(tmp_path: Path) -> None:
    with hostile_table(tmp_path / "home") as campaign:
        for name in APP_PAGES:
            dom = dom_of(tmp_path, page(campaign, name))
            assert "<title>turnwright</title>" in dom
            if name == "party":
                assert f"<td>{escape(EVIL, quote=False)}</td>" in dom
            if name == "map":
                assert '<img alt="' in dom


@NEEDS_CHROMIUM
@pytest.mark.slow
@pytest.mark.parametrize("is_sandboxed", [True, False])
def test_a_page_greets_its_host_and_shows_what_changed(tmp_path: Path, is_sandboxed: bool) -> None:
    with hostile_table(tmp_path / "home") as campaign:
        before = page(campaign, "party")
        hurt = {"target_character_id": "pc_001", "delta": -3, "cause": "a stone"}
        assert campaign.process({"tool_calls": [{"id": "a", "tool": "hp_delta", "args": hurt}]})["status"] == "applied"
        after = page(campaign, "party")
    hp = [one["people"][0]["hp"] for one in map(data_of, (before, after))]
    assert hp[0] == hp[1] + 3
    found = hosted(tmp_path, before, after, is_sandboxed=is_sandboxed)
    heard = found["heard"]
    methods = [one["method"] for one in heard if "method" in one]
    assert heard[0] == {"jsonrpc": "2.0", "id": 1, "method": "ui/initialize", "params": heard[0]["params"]}
    assert set(heard[0]["params"]) == {"protocolVersion", "appInfo", "appCapabilities"}
    assert methods.index("ui/notifications/initialized") < methods.index("resources/read")
    (read,) = [one for one in heard if one.get("method") == "resources/read"]
    assert read["params"] == {"uri": f"{SCHEME}party"}
    assert {"jsonrpc": "2.0", "id": "p", "result": {}} in heard
    assert [one["error"]["code"] for one in heard if one.get("id") == "t"] == [-32601]
    sizes = [one["params"] for one in heard if one.get("method") == "ui/notifications/size-changed"]
    assert sizes
    assert all(set(size) == {"width", "height"} and size["height"] > 0 for size in sizes)
    assert not [one for one in heard if "violation" in one]
    if not is_sandboxed:
        assert str(hp[1]) in found["shown"]
        assert EVIL in found["shown"]
        assert found["looks"] == {"theme": "dark", "background": "rgb(1, 2, 3)", "display": "block"}


SDK_HOST = """<!doctype html><meta charset="utf-8"><iframe></iframe><pre id="heard"></pre>
<script>window.PAGES = %s</script><script type="module">%s</script>"""


@NEEDS_CHROMIUM
@pytest.mark.slow
def test_the_host_of_the_official_sdk_shows_a_page_and_what_changed(tmp_path: Path) -> None:
    node = node_with(*APPS_HOST)
    with hostile_table(tmp_path / "home") as campaign:
        before = page(campaign, "party")
        hurt = {"target_character_id": "pc_001", "delta": -3, "cause": "a stone"}
        campaign.process({"tool_calls": [{"id": "a", "tool": "hp_delta", "args": hurt}]})
        after = page(campaign, "party")
    source = tmp_path / "app_host.mjs"
    shutil.copy(Path(__file__).with_name("app_host.mjs"), source)
    (tmp_path / "node_modules").symlink_to(node.modules)
    bundle = node.command("esbuild/bin/esbuild", str(source), "--bundle", "--format=esm", "--log-level=error")
    script = subprocess.run(bundle, capture_output=True, text=True, check=True, env=node.environment(tmp_path)).stdout
    pages = json.dumps([after, before]).replace("<", "\\u003c")
    told = dom_of(tmp_path, SDK_HOST % (pages, script.replace("</script", "<\\/script")))
    (text,) = re.findall(r'<pre id="heard">(.*?)</pre>', told, re.DOTALL)
    found = json.loads(unescape(text))
    heard = found["heard"]
    assert heard[0] == {"initialized": {"name": "turnwright", "version": "1"}}
    assert {"read": f"{SCHEME}party"} in heard
    assert [one for one in heard if one.get("size", {}).get("height", 0) > 0]
    assert str(data_of(after)["people"][0]["hp"]) in found["shown"]
    assert (found["theme"], found["background"]) == ("light", "rgb(1, 2, 3)")
