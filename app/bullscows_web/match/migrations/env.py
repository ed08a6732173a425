"""Runs migrations in the transaction that `bullscows_web.match.store` has begun."""

from alembic import context

from bullscows_web.match.store import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=False,  # the transaction of the store is the only one
)
context.run_migrations()
