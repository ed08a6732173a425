# The server alone: it reads the shipped trees and needs no solver, so numba and
# its compiler stay out. One process per container; any of them serves any request.

FROM python:3.13.15-slim-trixie AS builder
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src

# Dependencies first: this layer changes only with the lock.
COPY requirements-server.lock requirements-build.lock ./
RUN python -m venv /opt/bullscows \
    && /opt/bullscows/bin/python -m pip install --require-hashes -r requirements-server.lock \
    && python -m pip install --require-hashes -r requirements-build.lock

COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY engine engine
COPY templates templates
COPY static static
COPY trees trees
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir /dist . \
    && /opt/bullscows/bin/python -m pip install --no-deps /dist/*.whl

# A tree that does not solve its game must not get into an image.
WORKDIR /
RUN /opt/bullscows/bin/bullscows verify

FROM python:3.13.15-slim-trixie
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin bullscows \
    && install -d -o 10001 -m 700 /var/lib/bullscows
COPY --from=builder /opt/bullscows /opt/bullscows
ENV PATH=/opt/bullscows/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# The key of sealed addresses: keep this folder, or set BULLSCOWS_SEAL_KEY, and links outlast the container.
ENV BULLSCOWS_STATE=/var/lib/bullscows
USER 10001
WORKDIR /
EXPOSE 8000
# The image has no curl; the answer's body does not matter, only that it is a 200.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# Visitors who ask by other names than localhost: docker run -e BULLSCOWS_HOSTS=game.example,...
CMD ["bullscows", "serve", "--host", "0.0.0.0"]
