# The package as npm packs it, with the dependencies that the lockfile names, on the Debian of Node's own images.
#   docker build -t mayfly .
ARG NODE=24
# Digests of the base images, such as @sha256:..., to build the same image again. See docs/install.md.
ARG BUILD_DIGEST=
ARG RUN_DIGEST=

FROM node:${NODE}-bookworm${BUILD_DIGEST} AS build
WORKDIR /build
# sqlite3 is compiled here: its binary would be fetched from elsewhere, and the lockfile says nothing about that.
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp && npm prune --omit=dev --no-audit --no-fund
RUN mkdir /app && tar -xzf /tmp/mayfly-*.tgz -C /app --strip-components=1 && mv node_modules /app/ \
  && rm -rf /app/node_modules/sqlite3/deps /app/node_modules/sqlite3/build/Release/obj*

FROM node:${NODE}-bookworm-slim${RUN_DIGEST}
LABEL org.opencontainers.image.title="Mayfly" \
  org.opencontainers.image.description="Self-hosted software for sharing secrets that live once" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /app /app
# By number, so that orchestrators see that it is not root. The folder is what a new volume starts as.
RUN ln -s /app/dist/cli.js /usr/local/bin/mayfly && chmod 755 /app/dist/cli.js \
  && install -d -m 700 -o 10001 -g 10001 /data
ENV NODE_ENV=production HOME=/data MAYFLY_DATA_DIR=/data MAYFLY_PORT=3000
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
# Checks that the process runs. /readyz also checks the database, whose failure is not a reason to restart the process.
# MAYFLY_PORT sets the port here and wins over a config file. Set it instead of `serve --port`.
# Node is the only HTTP client in the image: each check starts it, for about 40 MB and 0.1 s of one core.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MAYFLY_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mayfly"]
CMD ["serve"]
