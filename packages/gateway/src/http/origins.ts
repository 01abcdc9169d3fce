import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../deps.ts';

/** Looks at an answered request. */
export type LogOrigin = (request: FastifyRequest, reply: FastifyReply) => void;

/** Origins are made up at will: no more of them are reported than somebody would set. */
const MAX_LOGGED_ORIGINS = 20;
const MAX_ORIGIN_LENGTH = 128;
const WARN = 40;

/**
 * Tells once of each origin whose page could not read an answer, and what to set: whoever looks for the fault sees only the browser's
 * word for it, which says nothing about this service.
 */
export function originLog({ settings, logStream, clock }: GatewayDeps): LogOrigin {
  const logged = new Set<string>();
  return (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || logged.size >= MAX_LOGGED_ORIGINS || logged.has(origin)) return;
    const isRead = reply.getHeader('access-control-allow-origin') !== undefined;
    if (isRead || !isOrigin(origin) || origin === settings.baseUrl) return;
    logged.add(origin);
    if (LEVELS_ABOVE_WARN.has(settings.logLevel)) return;
    const msg =
      'A page of another origin was kept from reading an answer. If it is yours, add it to POOLGATE_CORS_ORIGINS.';
    const line = { level: WARN, time: clock.now(), requestId: request.id, origin, msg };
    logStream.write(`${JSON.stringify(line)}\n`);
  };
}

/** Levels at which no warning is written. */
const LEVELS_ABOVE_WARN: ReadonlySet<string> = new Set(['error', 'fatal', 'silent']);

function isOrigin(text: string): boolean {
  return (
    text.length <= MAX_ORIGIN_LENGTH && /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  );
}
