"""The pages as a reader sees them: texts and links, parsed from the HTML."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows_web.play.pages import suspects
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition
from tests.support.pages import HTMX, every_page, get, one, open_pages, parse, text

GAME = "/play/small-bulls-cows/0"
PEGS = "/play/small-mastermind/0"
PAGES = [
    "/",
    "/about",
    "/trees",
    "/trees/small-mastermind",
    GAME,
    f"{GAME}/0.1",
    f"{GAME}/0.1/none",
]
EACH = sorted({*PAGES, *open_pages()})
"""Those, and every page that a package adds."""


def answers(page: BeautifulSoup) -> dict[str, str]:
    return {str(link["data-answer"]): str(link["href"]) for link in page.select("[data-answer]")}


# -- the start ---------------------------------------------------------------------------------


def test_every_tree_of_every_game_is_offered(client: TestClient):
    page = get(client, "/play")
    offered = [option["value"] for option in page.select("input[name=tree]")]
    assert offered == ["small-bulls-cows", "small-mastermind"]
    assert len(page.select("form.game")) == 2
    assert all(form.select("input[name=tree][checked]") for form in page.select("form.game"))


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_starting_leads_to_a_new_game(client: TestClient, prefix: str):
    response = client.get(f"{prefix}/play?tree=small-bulls-cows")
    assert (response.status_code, response.headers["location"]) == (303, prefix + GAME)
    assert response.headers["cache-control"] == "no-store"


def test_varying_the_guesses_draws_a_relabelling(client: TestClient):
    path = "/play?tree=small-bulls-cows&shuffle=on"
    places = {client.get(path).headers["location"] for _ in range(20)}
    assert len(places) > 1


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_address_of_a_tree_alone_starts_a_game(client: TestClient, prefix: str):
    path = f"{prefix}/play/small-bulls-cows"
    places = set()
    for _ in range(20):
        response = client.get(path)
        assert (response.status_code, response.headers["cache-control"]) == (303, "no-store")
        places.add(response.headers["location"])
    assert len(places) > 1
    assert all(place.startswith(f"{path}/") for place in places)
    assert client.get(places.pop()).status_code == 200
    assert client.get(f"{prefix}/play/none").status_code == 404


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    "path",
    [
        "/trees",
        "/trees/small-bulls-cows/0.1?depth=2&a=%00%2f",
        "/about",
        "/compare",
        "/statistics/small-mastermind",
        "/play/small-bulls-cows",
        f"{GAME}/0.1/none?secret=012",
        "/trees/a%3Fb%25",
    ],
)
def test_slash_at_the_end_of_a_page_leads_to_the_page(client: TestClient, prefix: str, path: str):
    page, mark, query = path.partition("?")
    response = client.get(f"{prefix}{page}/{mark}{query}")
    assert (response.status_code, response.headers["location"]) == (308, prefix + path)


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("path", every_page())
def test_slash_at_the_end_of_any_page_leads_to_the_page(client: TestClient, prefix: str, path: str):
    response = client.get(f"{prefix}{path}/")
    assert (response.status_code, response.headers["location"]) == (308, prefix + path)


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/trees//", "/none/", "/static/", "/%2F/", "/api/v1/trees/"]
)
def test_slash_at_the_end_leads_to_pages_only(client: TestClient, path: str):
    assert client.get(f"http://testserver{path}").status_code == 404


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("path", [*PAGES, "/statistics"])
def test_nothing_unproved_is_called_optimal(client: TestClient, prefix: str, path: str):
    """The small trees follow a one-step rule."""
    page = get(client, prefix + path)
    said = str(one(page, "meta[name=description]")["content"])
    if path != "/about":  # which explains the words
        said += text(one(page, "main"))
    assert not re.search("proved|no question is wasted|доказан|не пропадает зря", said)


# -- a game ------------------------------------------------------------------------------------


def test_game_shows_guess_candidates_and_possible_answers(client: TestClient, library: Library):
    position = GamePosition.start(library.tree("small-bulls-cows"), shuffle=False)
    page = get(client, GAME)
    assert one(page, "[data-guess]")["data-guess"] == position.guess
    assert one(page, "[data-remaining]")["data-remaining"] == "60"
    assert answers(page) == {
        str(choice.answer): f"/play/{choice.position.path}" for choice in position.choices
    }
    assert text(one(page, "#status")) == "Guess 1: 0 1 2. 60 codes left."
    assert not page.select("[data-secret]")


def test_answer_link_names_its_answer(client: TestClient):
    link = one(get(client, GAME), "[data-answer='0.1']")
    assert text(one(link, ".unseen")) == "0 bulls, 1 cow"
    link = one(get(client, PEGS), "[data-answer='0.1']")
    assert text(one(link, ".unseen")) == "0 black pegs, 1 white peg"


def test_pegs_carry_digits_for_those_who_do_not_see(client: TestClient):
    code = one(get(client, PEGS), "[data-guess]")
    assert text(one(code, ".unseen")) == " ".join(str(code["data-guess"]))
    shapes = [use["href"] for use in code.select("use")]
    assert shapes == [f"#s{symbol}" for symbol in str(code["data-guess"])]


def test_history_links_back_to_each_turn(client: TestClient):
    page = get(client, f"{GAME}/0.1-1.1")
    assert [link["href"] for link in page.select(".undo a")] == [GAME, f"{GAME}/0.1"]
    rows = page.select(".ledger tbody tr")
    assert [row["data-guess"] for row in rows] == ["012", "134"]


def test_few_candidates_are_listed(client: TestClient, library: Library):
    position = GamePosition.parse(library, "small-bulls-cows", "0", "0.1")
    page = get(client, f"{GAME}/0.1?analysis=open")
    assert [text(code) for code in page.select(".analysis .digits")] == position.candidates


def test_end_shows_the_secret_and_the_turns(client: TestClient):
    page = get(client, f"{GAME}/3.0")
    assert one(page, "[data-secret]")["data-secret"] == "012"
    assert not page.select("[data-answer], [data-guess]")
    assert text(one(page, "#status")) == "Your code is 0 1 2, found in 1 turn."
    assert text(one(page, ".stage .turns .here th")) == "1"
    assert page.select("a[href='/play?tree=small-bulls-cows']")


def games(position: GamePosition) -> Iterator[GamePosition]:
    yield position
    for choice in position.choices:
        yield from games(choice.position)


@pytest.mark.parametrize("tree", ["small-bulls-cows", "small-mastermind"])
@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_every_state_of_every_game_renders(
    client: TestClient, library: Library, tree: str, prefix: str
):
    for position in games(GamePosition.start(library.tree(tree), shuffle=False)):
        response = client.get(f"{prefix}/play/{position.path}", headers=HTMX)
        assert response.status_code == 200
        offered = re.findall("<a [^>]*data-answer=", response.text)
        assert len(offered) == len(position.choices)


# -- fragments ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [GAME, f"{GAME}/0.1-1.1", f"{GAME}/3.0", f"{GAME}/0.1/none", PEGS])
def test_fragment_is_the_content_of_the_page(client: TestClient, path: str):
    whole, part = get(client, path), get(client, path, headers=HTMX)
    heading = one(part, "h1[autofocus]")
    del heading["autofocus"]
    for turns in part.select(".fresh"):  # the last turn is animated
        turns["class"].remove("fresh")  # type: ignore[union-attr]
    board = str(part.select("#board, .board")[0])
    assert board == str(whole.select("#content > :is(#board, .board)")[0])
    assert not part.select("html, header.site-head, script")
    assert text(one(part, "title")) == text(one(whole, "title"))
    assert text(one(part, "#status[hx-swap-oob]")) == text(one(whole, "#status"))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"HX-Request": "false"},
        HTMX | {"HX-Request-Type": "full"},
        HTMX | {"HX-History-Restore-Request": "true"},
        {"HX-Request": "true", "HX-History-Restore-Request": "true"},
    ],
)
def test_page_is_whole_unless_htmx_wants_a_part(client: TestClient, headers: dict[str, str]):
    assert get(client, GAME, headers=headers).select("html > body header.site-head")


def test_htmx_two_names_no_request_type(client: TestClient):
    assert not get(client, GAME, headers={"HX-Request": "true"}).select("body")


@pytest.mark.parametrize("path", [*PAGES, "/nothing", f"{GAME}/3.1"])
def test_pages_vary_by_what_htmx_asks(client: TestClient, path: str):
    assert "HX-Request" in client.get(path).headers["vary"]


# -- what does not fit -------------------------------------------------------------------------


def test_contradiction_offers_corrections(client: TestClient):
    page = get(client, f"{GAME}/0.1-1.1-0.0", 409)
    assert text(one(page, "h1")) == "Something does not fit"
    corrections = page.select("a.correction")
    assert corrections
    for correction in corrections:
        assert client.get(str(correction["href"])).status_code == 200


def test_saying_the_right_answer_shortens_the_list(client: TestClient):
    place = f"{GAME}/0.1-1.1/none"
    page = get(client, place)
    links = page.select("a[data-unoffered]")
    assert links
    for link in links:
        assert link["href"] == f"{place}?answer={link['data-unoffered']}"
        shorter = get(client, str(link["href"]))
        found = {(a.text, a["href"]) for a in shorter.select("a.correction")}
        assert len(found) < len(page.select("a.correction"))
        assert {place for _, place in found} <= {a["href"] for a in page.select("a.correction")}


@pytest.mark.parametrize(
    ("answer", "status"), [("0.1", 303), ("9.9", 422), ("", 200), ("<b>", 422), ("1" * 50, 422)]
)
def test_answer_in_the_address_is_checked(client: TestClient, answer: str, status: int):
    response = client.get(f"{GAME}/none", params={"answer": answer})
    assert response.status_code == status
    if status == 303:
        assert response.headers["location"] == f"{GAME}/0.1"


def test_none_of_these_fits_suspects_earlier_answers(client: TestClient):
    page = get(client, f"{GAME}/0.1")
    link = one(page, ".doubt a")
    doubt = get(client, str(link["href"]))
    assert link["href"] == link["hx-get"] == f"{GAME}/0.1/none"
    assert all(str(a["href"]).startswith(f"{GAME}/") for a in doubt.select("a.correction"))


def test_first_guess_leaves_nothing_to_doubt(client: TestClient):
    assert not get(client, GAME).select(".doubt")
    assert not get(client, f"{GAME}/none").select("a.correction")


def is_settled(position: GamePosition) -> bool:
    """Whether every code of the game gives one of the answers offered; by trying all of them."""
    rules, guess = position.entry.rules, position.node.guess
    given = {rules.answers[rules.respond(guess, code)] for code in range(rules.size)}
    return given == {choice.answer for choice in position.choices}


def test_two_mistakes_are_named_only_if_one_is_not_enough(
    client: TestClient, shipped_client: TestClient, library: Library, shipped_library: Library
):
    states = set()
    known = ("avg-bulls-cows", "0", "0.1")
    cases = [(shipped_client, GamePosition.parse(shipped_library, *known))]
    for entry in library:
        cases += [(client, game) for game in games(GamePosition.start(entry, shuffle=False))]
    for server, position in cases:
        if position.is_finished:
            continue
        shown = get(server, f"/play/{position.path}/none")
        page, heading = text(one(shown, ".stage")), text(one(shown, "h1"))
        settled = is_settled(position)
        corrections = suspects(position)
        assert not (settled and corrections)
        assert ("Whatever your code is" in page) == settled
        assert (heading == "Your answer is among those offered") == settled
        assert (heading == "Something does not fit") == (not settled)
        assert heading in text(one(shown, "title"))
        assert text(one(shown, "#status")).startswith(heading)
        assert ("one of the earlier answers was wrong" in page) == (not settled)
        assert ("at least two are wrong" in page) == (not settled and not corrections)
        states.add((settled, bool(position.history)))
    assert (True, True) in states


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_nothing_is_doubted_after_the_end(client: TestClient, prefix: str):
    response = client.get(f"{prefix}{GAME}/3.0/none")
    assert (response.status_code, response.headers["location"]) == (303, f"{prefix}{GAME}/3.0")


@pytest.mark.parametrize(
    ("secret", "said"), [("zzz", "not a code of this game"), ("012", "if your code is 012")]
)
def test_result_for_a_revealed_code_is_shown_next_to_the_form(
    client: TestClient, secret: str, said: str
):
    """The answer is visible without scrolling, and screen readers announce it."""
    page = get(client, f"{GAME}/0.1-1.1/none?secret={secret}", 422 if secret == "zzz" else 200)
    assert said in text(one(page, "#status"))
    assert said in text(one(page, "#told"))
    assert str(one(page, "form.reveal")["action"]).endswith("#told")
    assert bool(page.select("#secret[autofocus]")) == (secret == "zzz")


def test_revealing_the_secret_marks_the_wrong_answers(client: TestClient):
    page = get(client, f"{GAME}/0.1-1.1/none?secret=012")
    assert len(page.select(".checks .wrong")) == 2
    assert text(one(page, "h1")) == "Something does not fit"
    assert not page.select("a.correction, a[data-unoffered]"), "nothing is left to be guessed"
    assert one(page, ".stage .button.primary")["href"] == f"{GAME}/3.0"


def test_telling_the_secret_asks_no_guess_that_was_answered(shipped_client: TestClient):
    """After 1.0 as after 0.0 this tree guesses 345, to which 098 gives 0.0."""
    game = "/play/avg-bulls-cows-3-digits/0"
    guess = one(get(shipped_client, f"{game}/1.0"), "h1 [data-guess]")["data-guess"]
    assert (
        guess == one(get(shipped_client, f"{game}/0.0"), "h1 [data-guess]")["data-guess"] == "345"
    )
    page = get(shipped_client, f"{game}/0.0-0.0/none?secret=098")
    assert len(page.select(".checks .wrong")) == 1
    assert one(page, ".stage .button.primary")["href"] == f"{game}/1.0-0.0"


def test_telling_a_secret_that_fits_gives_the_next_answer(client: TestClient, library: Library):
    secret = GamePosition.parse(library, "small-bulls-cows", "0", "0.1-1.1").candidates[0]
    page = get(client, f"{GAME}/0.1-1.1/none?secret={secret}")
    assert not page.select(".checks .wrong")
    assert text(one(page, "h1")) == "Nothing is wrong so far"
    link = str(one(page, ".stage .button.primary")["href"])
    assert client.get(link).status_code == 200


@pytest.mark.parametrize("secret", ["01", "0011", "abc", "٠١٢", "<b>", "0 1", "9" * 40])
def test_revealing_no_code_is_reported_next_to_the_field(client: TestClient, secret: str):
    response = client.get(f"{GAME}/0.1/none", params={"secret": secret})
    page = parse(response)
    field = one(page, "#secret")
    assert response.status_code == 422
    assert field["aria-invalid"] == "true"
    assert field["value"] == secret
    assert one(page, f"#{field['aria-describedby']}")


# -- trees -------------------------------------------------------------------------------------


def test_trees_are_listed_with_their_figures(client: TestClient, library: Library):
    page = get(client, "/trees")
    for entry, card in zip(library, page.select("article.tree"), strict=True):
        assert one(card, "h3 a")["href"] == f"/trees/{entry.name}"
        counts = [text(cell) for cell in card.select(".turns td:last-child")]
        assert counts == [str(count) for count in entry.record.distribution]
        assert f"{entry.average:.3f}" in text(card)


def test_games_fold_on_the_page_of_the_trees(client: TestClient, library: Library):
    folds = get(client, "/trees").select("details.of-game")
    assert [fold["id"] for fold in folds] == [str(entry.rules) for entry in library]
    assert [fold.has_attr("open") for fold in folds] == [True, False]
    assert [text(one(fold, "summary h2")) for fold in folds] == [
        "Bulls & Cows, 3 of 5 60 codes, 1 tree",
        "Mastermind, 2 of 4 16 codes, 1 tree",
    ]


def test_node_shows_path_parts_and_string(client: TestClient, library: Library):
    page = get(client, "/trees/small-bulls-cows")
    entry = library.tree("small-bulls-cows")
    assert one(page, "#tree-string").get_text().replace("\\x7f", "\x7f") == entry.record.string
    page = get(client, "/trees/small-bulls-cows/0.1-1.1")
    crumbs = [link["href"] for link in page.select(".crumbs a")]
    assert crumbs == ["/trees", "/trees/small-bulls-cows", "/trees/small-bulls-cows/0.1"]
    assert not page.select("#tree-string")


def test_node_links_to_its_children(client: TestClient, library: Library):
    position = GamePosition.parse(library, "small-bulls-cows", "0", "")
    page = get(client, "/trees/small-bulls-cows")
    children = {str(c.answer): c.remaining for c in position.choices if not c.position.is_finished}
    assert answers(page) == {answer: f"/trees/small-bulls-cows/{answer}" for answer in children}
    sizes = [int(text(size)) for size in page.select(".branch-size")]
    assert sizes == list(children.values())


def test_children_come_alone_on_demand(client: TestClient):
    path = "/trees/small-bulls-cows/0.1"
    whole, part = get(client, path), get(client, path, headers=HTMX)
    assert one(get(client, "/trees/small-bulls-cows"), f"details[hx-get='{path}']")
    assert [str(tag) for tag in part.find_all(recursive=False)] == [
        str(one(whole, ".stage > .branches"))
    ]


# -- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/play/none/0", 404),
        ("/play?tree=none", 404),
        ("/trees/none", 404),
        ("/trees/%00", 404),
        ("/static/none.css", 404),
        (f"{GAME}/2.1", 422),
        (f"{GAME}/5.0", 422),
        (f"{GAME}/%D9%A1.0", 422),
        (f"{GAME}/%00", 422),
        (f"{GAME}/0.1-", 422),
        ("/play/small-bulls-cows/0k", 422),
        ("/play/small-bulls-cows/zzzzzz", 422),
        ("/play?tree=small-bulls-cows&shuffle=perhaps", 422),
        (f"{GAME}/0.1/none?secret=" + "1" * 50, 422),
        (f"{GAME}/" + "0.0-" * 200 + "0.0", 422),
        (f"{GAME}/3.0-0.1", 409),
        ("/trees/small-bulls-cows/3.0", 409),
        ("/trees/small-bulls-cows/0.1-1.1-0.0", 409),
        (f"{GAME}/" + "0" * 10_000, 414),
    ],
)
@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_bad_address_gets_a_clear_page(client: TestClient, prefix: str, path: str, status: int):
    page = get(client, prefix + path, status)
    assert one(page, "html")["lang"] == ("ru" if prefix else "en")
    assert text(one(page, "h1"))
    assert page.select("main a[href]")


def test_game_that_is_over_leads_to_its_end(client: TestClient):
    page = get(client, f"{GAME}/3.0-0.1", 409)
    assert one(page, ".button.primary")["href"] == f"{GAME}/3.0"


@pytest.mark.parametrize("payload", ["<script>alert(1)</script>", "\"'><img src=x>", "{{ 7*7 }}"])
def test_nothing_is_repeated_unescaped(client: TestClient, payload: str):
    for path in (
        f"/play/{quote(payload, safe='')}/0",
        f"{GAME}/{quote(payload, safe='')}",
        f"{GAME}/0.1/none?secret={quote(payload)}",
        f"/trees/{quote(payload, safe='')}",
        f"/{quote(payload, safe='')}",
    ):
        response = client.get(path)
        assert response.status_code < 500
        page = parse(response)
        assert not page.select("img, main script")
        assert "49" not in text(one(page, "main"))


# -- every page --------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", [pytest.param("", marks=pytest.mark.slow), "/ru"])
def test_no_link_inside_the_site_is_dead(client: TestClient, prefix: str):
    waiting, seen = [f"{prefix}/"], set[str]()
    while waiting and len(seen) < 80:
        path = waiting.pop()
        seen.add(path)
        response = client.get(path)
        assert response.status_code in (200, 303), path
        if not response.headers.get("content-type", "").startswith("text/html"):
            continue
        for tag in parse(response).select("[href], [src], [hx-get], form[action]"):
            for name in ("href", "src", "hx-get", "action"):
                target = str(tag.get(name, "")).partition("#")[0]
                if target.startswith("/") and target not in seen and target not in waiting:
                    waiting.append(target)
    assert len(seen) > 50


@pytest.mark.parametrize("path", EACH)
def test_page_has_no_inline_style_or_script(client: TestClient, path: str):
    page = get(client, path)
    assert not page.select("style, [style], script:not([src])")
    assert not [tag for tag in page.find_all(True) if any(a.startswith("on") for a in tag.attrs)]


@pytest.mark.parametrize("path", EACH)
def test_ids_are_unique_and_labels_point_somewhere(client: TestClient, path: str):
    page = get(client, path)
    ids = [str(tag["id"]) for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    for tag in page.select("[aria-labelledby]"):
        assert tag["aria-labelledby"] in ids
    for use in page.select("use"):
        assert str(use["href"]).removeprefix("#") in ids
