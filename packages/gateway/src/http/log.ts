import { ProviderError } from '@poolgate/provider';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'fastify/types/logger.js';
import type { GatewayDeps } from '../kernel/deps.ts';

/**
 * Members that are never logged, wherever they appear in a line. Log lines contain only selected facts; this is a second line of defense.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
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
  'credential',
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
  'CREDENTIAL',
  'code',
]);

/** Options of the logger (pino): JSON, one object a line, to the stream of the composition root. */
export function createLoggerOptions({ settings, logStream }: GatewayDeps) {
  return {
    level: settings.logLevel,
    stream: logStream,
    base: null,
    // Pino's own redaction parses its paths again for every line, which costs ten times as much as the line itself.
    formatters: { log: (line: Readonly<Record<string, unknown>>) => removeSecrets(line, 1) },
  };
}

/** Recurses `depth` objects deep. Class instances are left to pino's serializers. */
function removeSecrets(members: object, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  // One pass without lists of pairs, because every request writes a line.
  for (const name of Object.keys(members)) {
    if (!SECRET_FIELDS.has(name)) kept[name] = toLoggable((members as Readonly<Record<string, unknown>>)[name], depth);
  }
  return kept;
}

function toLoggable(value: unknown, depth: number): unknown {
  if (value instanceof Error) return describeFailure(value);
  return depth > 0 && isPlainObject(value) ? removeSecrets(value, depth - 1) : value;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * The logger of a request, created on first use. Few requests log anything, and creating it costs more than 2 % of the benchmark row
 * `browser-sessions`.
 */
export class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: Line): void {
    this.#logger.fatal(...line);
  }

  error(...line: Line): void {
    this.#logger.error(...line);
  }

  warn(...line: Line): void {
    this.#logger.warn(...line);
  }

  info(...line: Line): void {
    this.#logger.info(...line);
  }

  debug(...line: Line): void {
    this.#logger.debug(...line);
  }

  trace(...line: Line): void {
    this.#logger.trace(...line);
  }

  silent(...line: Line): void {
    this.#logger.silent(...line);
  }

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#logger.child(bindings, options);
  }

  get #logger(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }
}

const INFO = 30;
/** The levels at which requests are logged. */
const REQUEST_LOG_LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);

/** The code of the problem response, or the name of the error at the Cognito-compatible API. */
function findErrorCode(reply: FastifyReply): string | undefined {
  if (reply.statusCode < 400) return undefined;
  const errorType = reply.getHeader('x-amzn-errortype');
  return reply.problemCode ?? (errorType === undefined ? undefined : String(errorType).replace(/:$/, ''));
}

/** Logs an answered request with its client's address. */
export type LogRequest = (request: FastifyRequest, reply: FastifyReply, address: string) => void;

/**
 * Writes one line for each answered request. It contains the route's pattern, because a path can contain a username, and a query a code.
 */
export function createRequestLog({ settings, logStream, clock }: GatewayDeps): LogRequest {
  if (!REQUEST_LOG_LEVELS.has(settings.logLevel)) return () => {};
  return (request, reply, address) => {
    const line = {
      level: INFO,
      time: clock.now(),
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      path: request.loggedPath ?? undefined,
      status: reply.statusCode,
      error: findErrorCode(reply),
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address,
      msg: 'request',
    };
    // In the logger's format, whose own function costs three times as much (more than 2 % of the benchmark row `browser-sessions`). Every
    // member is selected here.
    logStream.write(`${JSON.stringify(line)}\n`);
  };
}

/** Errors of a provider that is a remote service with its own problems. */
const REMOTE_PROVIDER_REASONS: ReadonlySet<string | undefined> = new Set([
  'provider_timeout',
  'provider_unavailable',
  'provider_unknown',
]);

/** The severity of an error here. An error of a remote service is not a defect of this one. */
export function selectFailureLevel(error: unknown): 'warn' | 'error' {
  const cause = error instanceof Error ? error.cause : undefined;
  const known = [error, cause].find((each) => each instanceof ProviderError);
  return REMOTE_PROVIDER_REASONS.has(known?.reason) ? 'warn' : 'error';
}

/** What a log may contain about an error: names and places. A message can repeat the value that caused it. */
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
