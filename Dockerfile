# syntax=docker/dockerfile:1
# The service as it is published, on a slim Node, for the architectures of the base image:
#   docker buildx build --platform linux/amd64,linux/arm64 -t poolgate .

# What is packed is the same for every architecture, so it is packed once, on the machine's own.
FROM --platform=$BUILDPLATFORM node:26.10.0-bookworm-slim AS pack
WORKDIR /src
COPY . .
RUN npm ci && npm run pack -- /tarballs

FROM node:26.10.0-bookworm-slim AS install
WORKDIR /app
COPY --from=pack /tarballs /tarballs
RUN npm init --yes > /dev/null \
    && npm install --omit=dev --ignore-scripts --no-audit --no-fund /tarballs/*.tgz \
    && npm cache clean --force

FROM node:26.10.0-bookworm-slim
LABEL org.opencontainers.image.title="Poolgate" \
      org.opencontainers.image.source="https://github.com/poolgate/poolgate" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY deploy/docker/healthcheck.mjs ./healthcheck.mjs
RUN install -d -o node -g node -m 0700 /data \
    && ln -s /app/node_modules/.bin/poolgate /usr/local/bin/poolgate
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    POOLGATE_DATA_DIR=/data
# By its number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["node", "/app/healthcheck.mjs"]
ENTRYPOINT ["node", "/app/node_modules/poolgate/dist/main.js"]
CMD ["serve"]
