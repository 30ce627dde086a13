# The app for others, as a user without rights. `scripts/container.sh` builds it.
ARG BASE=docker.io/library/python:3.13-slim

FROM ${BASE} AS packages
COPY requirements.lock /
RUN python3 -m venv /packages \
    && /packages/bin/python -m pip install --no-cache-dir --only-binary :all: \
        --require-hashes -r /requirements.lock

FROM ${BASE}
COPY --from=packages /packages /packages
WORKDIR /app
COPY app.py server.py LICENSE ./
COPY .streamlit .streamlit
COPY pages pages
COPY synth synth
COPY ui ui
# Compiled here: where it runs, nothing of the image can be written.
RUN /packages/bin/python -m compileall -q /app \
    && mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
ENV HOME=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    SYNTH_DATABASE_URL=sqlite:////data/history.sqlite3
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/packages/bin/python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["/packages/bin/python", "-m", "streamlit", "run", "server.py", "--server.address", "0.0.0.0", \
    "--server.port", "8501", "--server.headless", "true"]
