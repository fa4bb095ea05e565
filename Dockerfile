# An image that answers a task blind, without a network (docs/blind.md):
#   docker build -t classical-qa .
#   docker run --rm --network none -v "$PWD/samples/ranking-en:/input:ro" -v "$PWD/out/blind:/output" \
#     classical-qa run ranking --input /input --output /output
FROM python:3.12-slim
WORKDIR /classical-qa
COPY . .
# The packages' own tests are 47 MB that nothing imports.
RUN pip install --quiet --no-cache-dir --disable-pip-version-check --root-user-action=ignore -c constraints.txt . \
    && find /usr/local/lib -type d -path '*-packages/*' -name tests -prune -exec rm -rf {} + \
    && rm -rf /classical-qa/*
ENTRYPOINT ["classical-qa"]
