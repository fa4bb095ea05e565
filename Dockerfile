# The program with all that its page needs (docs/engines.md); any command of it:
#   docker compose run --rm app answer ntcir-mc samples/sample-exam-en.xml
FROM python:3.12-slim
WORKDIR /classical-qa
COPY . .
# The packages' own tests and stubs are 50 MB that nothing imports.
RUN pip install --quiet --no-cache-dir --disable-pip-version-check --root-user-action=ignore -c constraints.txt '.[web,documents]' \
    && find /usr/local/lib -type d -path '*-packages/*' \( -name tests -o -name test \) -prune -exec rm -rf {} + \
    && find /usr/local/lib -name '*.pyi' -path '*-packages/*' -delete \
    && rm -rf /classical-qa/*
# Not root: who else owns the folder at /data says so with --user (docs/engines.md).
USER 1000:1000
ENV HOME=/tmp
WORKDIR /data
ENTRYPOINT ["classical-qa"]
