"""Matches, players and turns."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(29), primary_key=True),
        sa.Column("kind", sa.String(5), nullable=False),
        sa.Column("rules", sa.String(8), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("begins", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("moved", sa.Double, nullable=False, index=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("rematch", sa.String(29)),
    )
    op.create_table(
        "players",
        sa.Column(
            "match_id",
            sa.String(29),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(200)),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("plays", sa.Boolean, nullable=False),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_table(
        "turns",
        sa.Column("match_id", sa.String(29), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True),
        sa.Column("guess", sa.Integer, nullable=False),
        sa.Column("answer", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["players.match_id", "players.seat"], ondelete="CASCADE"
        ),
    )
