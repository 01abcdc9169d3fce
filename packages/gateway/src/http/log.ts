import { ProviderError } from '@poolgate/provider';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../deps.ts';

/**
 * Members that are never written, wherever they appear in a line. Lines are built from chosen facts only; this is the
 * second wall.
 */
const SECRET_MEMBERS = [
  'password',
  'temp_password',
  'new_password',
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'id_token',
  'session',
  'session_token',
  'challenge_value',
  'challenge_params',
  'device_config',
  'recovery_codes',
  'SecretCode',
  'SecretCodeQR',
  'TotpUri',
  'Session',
  'PASSKEY_HASH',
  'PRIVATE_KEY',
  'PASSWORD_CLAIM_SIGNATURE',
  'SECRET_BLOCK',
  'code',
] as const;

/** Options of the logger (pino): JSON, one a line, to where the composition root says. */
export function loggerOptions({ settings, logStream }: GatewayDeps) {
  return {
    level: settings.logLevel,
    stream: logStream,
    base: null,
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`]), remove: true },
  };
}

/** One line for an answered request. It names the route's pattern: a path can hold a user name, a query a code. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, address: string): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address,
    },
    'request',
  );
}

/** What a log may say of a failure: names and places. A message can repeat a value that it stumbled over. */
export function describeFailure(error: unknown, depth = 3): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { cause } = error;
  return {
    name: error.name,
    ...('code' in error ? { errorCode: String(error.code) } : {}),
    ...(error instanceof ProviderError ? { reason: error.reason, providerMessage: error.message } : {}),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(cause === undefined || depth === 0 ? {} : { cause: describeFailure(cause, depth - 1) }),
  };
}
