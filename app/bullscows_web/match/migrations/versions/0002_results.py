"""How many players solved the puzzle of a day at each turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "results",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("rules", sa.String(8), primary_key=True),
        sa.Column("turns", sa.Integer, primary_key=True),
        sa.Column("players", sa.Integer, nullable=False),
    )
