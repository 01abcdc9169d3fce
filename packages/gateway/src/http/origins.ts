import { WEB_ROUTES } from '@poolgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOwnPageOrigin, formatWrongAddress, isOrigin } from '../guards/wrong-address.ts';
import type { GatewayDeps, GatewaySettings } from '../kernel/deps.ts';
import { createRefusalLogLimit } from '../limits/refusal-log-limit.ts';

/** Logs problems that keep browsers from using the service. */
export interface OriginLog {
  /** Checks an answered request with its client's address. */
  logResponse(request: FastifyRequest, reply: FastifyReply, address: string): void;
  /** Checks a connection error before a request. */
  logConnectionError(error: Error & { readonly code?: string }, address: string | undefined): void;
}

/** Strangers can invent origins and hosts, so the number of lines is limited in total and for each network. */
const BOUNDS = { windowMs: 3_600_000, most: 20, perNetwork: 5 } as const;
const WARN = 40;

/**
 * Logs which setting keeps a browser from using the service: an address other than `BASE_URL`, cookies that do not arrive, or an origin
 * that may not read responses. Users see only their browser's own message. Each finding is logged once an hour.
 */
export function createOriginLog({ settings, logStream, clock }: GatewayDeps): OriginLog {
  const allowance = createRefusalLogLimit(clock, BOUNDS);
  const isSilent = LEVELS_ABOVE_WARN.has(settings.logLevel);
  const log = (address: string, { origin, msg, requestId }: Finding & { readonly requestId?: string }): void => {
    if (!allowance.mayRecord(address, `${origin} ${msg}`)) return;
    logStream.write(`${JSON.stringify({ level: WARN, time: clock.now(), requestId, origin, msg })}\n`);
  };
  return {
    logResponse(request, reply, address) {
      const finding = isSilent ? undefined : findOriginProblem(settings, request, reply);
      if (finding !== undefined) log(address, { ...finding, requestId: request.id });
    },
    logConnectionError({ code }, address = '') {
      if (code !== 'ERR_SSL_HTTP_REQUEST' || isSilent) return;
      log(address, { origin: undefined, msg: formatHttpWarning(settings.baseUrl) });
    },
  };
}

/** Log levels at which no warning is written. */
const LEVELS_ABOVE_WARN: ReadonlySet<string> = new Set(['error', 'fatal', 'silent']);

interface Finding {
  readonly origin: string | undefined;
  readonly msg: string;
}

function findOriginProblem(
  settings: GatewaySettings,
  request: FastifyRequest,
  reply: FastifyReply,
): Finding | undefined {
  const { baseUrl, consoleUrl, webPrefix } = settings;
  const { origin } = request.headers;
  const { reason, address } = reply.refusal ?? {};
  if (address !== undefined) return { origin: undefined, msg: formatWrongAddress(address) };
  if (reason === 'cookies_missing')
    return { origin: origin !== undefined && isOrigin(origin) ? origin : undefined, msg: formatCookieWarning(baseUrl) };
  if (origin === undefined || !isOrigin(origin) || origin === baseUrl || origin === consoleUrl) return undefined;
  const isRead = reply.getHeader('access-control-allow-origin') !== undefined;
  // There, a proxy repeats the headers of a request to another application.
  const isForAnother = request.routeOptions.url === `${webPrefix}${WEB_ROUTES.webForwardAuth.path}`;
  if (isRead || isForAnother) return undefined;
  const opened = findOwnPageOrigin(request.headers);
  if (opened !== undefined) return { origin: undefined, msg: formatWrongAddress({ opened, baseUrl }) };
  return {
    origin,
    msg: 'A page of another origin was blocked from reading a response. If the page is yours, add its origin to POOLGATE_CORS_ORIGINS.',
  };
}

/** If https is served, a browser that uses http gets no response at all. */
function formatHttpWarning(baseUrl: string): string {
  return `The service was opened over http, but it serves https, and BASE_URL is ${baseUrl}. Open ${baseUrl}, or change POOLGATE_TLS and BASE_URL to serve http.`;
}

function formatCookieWarning(baseUrl: string): string {
  const advice = baseUrl.startsWith('http:') ? ' Serve it over https, and change BASE_URL to that address.' : '';
  return `A page of this service sent a form without its cookies. The browser blocks cookies, or drops them because the page was opened over http outside localhost. BASE_URL is ${baseUrl}.${advice}`;
}
