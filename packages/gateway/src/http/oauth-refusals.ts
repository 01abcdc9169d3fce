import { OAuthError } from '@poolgate/provider';
import type { FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createRefusalLogLimit } from '../limits/refusal-log-limit.ts';

/** Logs why a request of an application was refused, whose client has the given address. */
export type LogRefusal = (request: FastifyRequest, error: unknown, address: string) => void;

/** Anyone can send requests that are refused. Each network gets a few log lines, so that those of others stay visible. */
const BOUNDS = { windowMs: 60_000, most: 60, perNetwork: 10 } as const;

/**
 * Logs refusals by the endpoints that browsers are sent to: the error, why, the app client and the address that was sent. The user sees a page
 * that names neither client nor address, and the application sees nothing. It is no warning, because strangers cause it at will.
 */
export function createOAuthRefusalLog({ clock }: Pick<GatewayDeps, 'clock'>): LogRefusal {
  const allowance = createRefusalLogLimit(clock, BOUNDS);
  return (request, error, address) => {
    const refusal = findRefusal(error);
    if (refusal === undefined) return;
    const facts = { route: request.routeOptions.url, ...refusal, ...readLoggableParameters(request) };
    if (allowance.mayRecord(address, JSON.stringify(facts))) request.log.info(facts, REFUSED);
  };
}

const REFUSED = 'An application sent a browser here with a request that was rejected.';

function findRefusal(error: unknown) {
  if (error instanceof OAuthError) return { error: error.error, detail: error.message };
  const isWithoutServer = error instanceof GatewayError && error.code === 'not_found';
  return isWithoutServer ? { error: error.code, detail: error.message } : undefined;
}

/** Several times the length of an accepted request. */
const MAX_LENGTH = 16_384;

/** Returns only these parameters. The others are secrets, or personal data of the user. */
function readLoggableParameters({ raw, body }: FastifyRequest) {
  const query = raw.url?.split('?').slice(1).join('?') ?? '';
  const form = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
  const text = `${query}&${form}`;
  const sent = new URLSearchParams(text.length > MAX_LENGTH ? '' : text);
  const [clientId, redirectUri] = [sent.get('client_id'), sent.get('redirect_uri')];
  const logoutUri = sent.get('logout_uri') ?? sent.get('post_logout_redirect_uri');
  return {
    ...(clientId === null ? {} : { client_id: CLIENT_ID.test(clientId) ? clientId : '(malformed)' }),
    ...(redirectUri === null ? {} : { redirect_uri: toLoggableAddress(redirectUri) }),
    ...(logoutUri === null ? {} : { logout_uri: toLoggableAddress(logoutUri) }),
  };
}

const CLIENT_ID = /^[\w+]{1,128}$/;
const MAX_ADDRESS_LENGTH = 256;
/** A token in a path, for instance. */
const LONG_WORD = /[^/.?#]{65,}/g;
const CREDENTIALS = /^([^/?#\\]*:[/\\]*)[^/?#\\]*@/;

/** An address as a log may show it: printable ASCII, without credentials, query and fragment, and not too long. */
export function toLoggableAddress(address: string): string {
  const { length } = address;
  const shown = address
    .slice(0, MAX_ADDRESS_LENGTH)
    .replace(/[^!-~]/g, '_')
    .replace(CREDENTIALS, '$1...@')
    .replace(/[?#].*/, (rest) => `${rest[0]}...`)
    .replace(LONG_WORD, '*');
  return length > MAX_ADDRESS_LENGTH && !shown.endsWith('...') ? `${shown}...` : shown;
}
