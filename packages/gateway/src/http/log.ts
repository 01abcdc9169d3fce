import { ProviderError } from '@poolgate/provider';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'fastify/types/logger.js';
import type { GatewayDeps } from '../kernel/deps.ts';

/**
 * Members that are never written, wherever they appear in a line. Lines are built from chosen facts only; this is the
 * second wall.
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

/** Options of the logger (pino): JSON, one a line, to where the composition root says. */
export function createLoggerOptions({ settings, logStream }: GatewayDeps) {
  return {
    level: settings.logLevel,
    stream: logStream,
    base: null,
    // Pino's own redaction reads its paths anew for every line: ten times the cost of the line itself.
    formatters: { log: (line: Readonly<Record<string, unknown>>) => removeSecrets(line, 1) },
  };
}

/** Goes `depth` objects deep. Instances of classes are left to pino's serializers. */
function removeSecrets(members: object, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  // One pass, without lists of pairs: every request writes a line.
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
 * The logger of a request, made when something is written by it. Hardly any request writes, and making it costs more than 2 % of the row
 * `browser-sessions` of the benchmarks.
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

/** Of a refusal: the code of the problem, or Cognito's name of the error at the Cognito-compatible API. */
function findErrorCode(reply: FastifyReply): string | undefined {
  if (reply.statusCode < 400) return undefined;
  const errorType = reply.getHeader('x-amzn-errortype');
  return reply.problemCode ?? (errorType === undefined ? undefined : String(errorType).replace(/:$/, ''));
}

/** Logs an answered request that came from an address. */
export type LogRequest = (request: FastifyRequest, reply: FastifyReply, address: string) => void;

/** One line for each answered request. It names the route's pattern: a path can hold a user name, a query a code. */
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
    // In the form of the logger, whose own way of writing it costs three times as much (the row `browser-sessions` of the benchmarks
    // shows more than 2 % for it): every member is chosen here.
    logStream.write(`${JSON.stringify(line)}\n`);
  };
}

/** Reasons of a provider that is a service of its own, and has trouble of its own. */
const REMOTE_PROVIDER_REASONS: ReadonlySet<string | undefined> = new Set([
  'provider_timeout',
  'provider_unavailable',
  'provider_unknown',
]);

/** How much a failure matters here: one of a service elsewhere is no defect of this one. */
export function selectFailureLevel(error: unknown): 'warn' | 'error' {
  const cause = error instanceof Error ? error.cause : undefined;
  const known = [error, cause].find((each) => each instanceof ProviderError);
  return REMOTE_PROVIDER_REASONS.has(known?.reason) ? 'warn' : 'error';
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
