"""Write the made parts of the documents: ``python -m docs.generate``, or ``make pages``."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from bullscows.shipping.atlas import take_over_bounds
from bullscows.shipping.totals import to_csv, totals
from bullscows.tree.storage import default_folder
from bullscows_web.main import create_app
from docs.generate import TOTALS, answers, commands, library, pictures, reference, replace_part
from tests.support.servers.serving import searching, serving, wait_until_it_searches


def main() -> None:
    """Ask a server of its own for the answers, then write the pages that show them."""
    with TemporaryDirectory() as work:
        log = Path(work) / "server.log"
        with serving(default_folder(), log, STATE_DIR=work, **searching()) as address:
            wait_until_it_searches(address)
            answers.write(address)
    replace_part(reference.PAGE, reference.text(create_app().openapi()))
    replace_part(commands.PAGE, commands.text())
    replace_part(library.PAGE, library.text())
    take_over_bounds(default_folder())
    pictures.PICTURE.write_text(pictures.tree_picture(), encoding="utf-8")
    TOTALS.write_text(to_csv(totals(default_folder())), encoding="utf-8")


if __name__ == "__main__":
    main()
