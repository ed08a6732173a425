"""Runs migrations in the transaction that `bullscows_web.match.store` has begun."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=False,  # the transaction of the store is the only one
)
context.run_migrations()
