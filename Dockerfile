# One image for the server, builds, long searches and clusters:
#   docker build -t bullscows .
# How to run it, with a read-only file system: docs/operations/containers.md.

# No digest: none is known for certain here. Pin it where you build:
#   docker build --build-arg PYTHON=python:3.13.15-slim-trixie@sha256:...
ARG PYTHON=python:3.13.15-slim-trixie

# Processors that searches are compiled for, so that no other one compiles them again: x86-64 with
# AVX2 (since about 2013), or any arm64. BuildKit sets TARGETARCH.
FROM ${PYTHON} AS amd64
ENV NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES=+avx2
FROM ${PYTHON} AS arm64
ENV NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES=+neon
# hadolint ignore=DL3006
FROM ${TARGETARCH} AS python

# Dependencies first: this layer changes only with the lock.
FROM python AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY requirements-cluster.lock ./
RUN python -m venv /opt/bullscows \
    && /opt/bullscows/bin/python -m pip install --require-hashes -r requirements-cluster.lock

# What `make quick` runs, and the wheel of what has passed it.
FROM packages AS tested
COPY requirements-dev.lock ./
RUN python -m venv /opt/tests \
    && /opt/tests/bin/python -m pip install --require-hashes -r requirements-dev.lock
COPY . .
RUN /opt/tests/bin/python -m pytest -n auto --dist worksteal --hypothesis-profile quick --quick \
    && /opt/tests/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir /dist .

# An image is built only from trees that solve their games, and carries compiled searches.
FROM packages AS builder
COPY --from=tested /dist /dist
WORKDIR /
RUN /opt/bullscows/bin/python -m pip install --no-deps /dist/*.whl \
    && /opt/bullscows/bin/bullscows verify
ENV NUMBA_CACHE_DIR=/var/cache/bullscows
RUN /opt/bullscows/bin/bullscows solve p4c6r \
    && /opt/bullscows/bin/bullscows strategy p3c6n avg35 \
    && /opt/bullscows/bin/bullscows strategy p2c5r random-candidate

FROM python AS runtime
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin bullscows \
    && install -d -o 10001 -m 700 /var/lib/bullscows
ENV PATH=/opt/bullscows/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# The secret key: keep this volume, or set BULLSCOWS_SECRET_KEY, and links outlast the container.
ENV BULLSCOWS_STATE_DIR=/var/lib/bullscows
# The compiled searches; numba needs a folder that it can write to.
ENV NUMBA_CACHE_DIR=/var/cache/bullscows
# One heap for all threads of a process: each further one would keep memory that it has freed.
ENV MALLOC_ARENA_MAX=1
VOLUME ["/var/lib/bullscows", "/var/cache/bullscows"]
COPY --from=builder /opt/bullscows /opt/bullscows
COPY --from=builder --chown=10001 /var/cache/bullscows /var/cache/bullscows
USER 10001
WORKDIR /
EXPOSE 8000
# The image has no curl. It is asked under the first of the names that it answers to; that it is a 200 is enough.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; name = os.environ.get('BULLSCOWS_ALLOWED_HOSTS', 'localhost').split(',')[0].replace('*', 'health'); u.urlopen(u.Request('http://127.0.0.1:8000/healthz', headers={'Host': name}), timeout=4)"]
# Other host names than localhost: docker run -e BULLSCOWS_ALLOWED_HOSTS=game.example,...
# For a trusted network; on the internet put a reverse proxy in front, as compose.yaml does.
CMD ["bullscows", "serve", "--host", "0.0.0.0"]
