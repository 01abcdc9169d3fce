/** The options of the Cognito provider with their defaults, and Amazon's request quotas. */
import { randomInt } from 'node:crypto';
import type { PoolDescription } from '@poolgate/provider';
import { QUOTAS, type QuotaCategory } from './quotas.ts';

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** Runs functions later. */
export interface Timer {
  /** Runs a function once after a delay. Returns a function that cancels it. The timer does not keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** AWS credentials, as the SDK's own providers return them. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Timeouts, attempts and rates of calls to Cognito. */
export interface CognitoLimits {
  /** For establishing a connection. */
  readonly connectMs: number;
  /** For one attempt, including connection and response. */
  readonly requestMs: number;
  /** For one call with all its attempts. */
  readonly callMs: number;
  /** The maximum number of attempts of a call. */
  readonly tries: number;
  /** The maximum delay before the second attempt, which doubles with each further one. */
  readonly backoffMs: number;
  /** The maximum of all delays. */
  readonly maxBackoffMs: number;
  /** The maximum number of saved retries. */
  readonly retryReserve: number;
  /** The fraction of a retry that each call saves. */
  readonly retryShare: number;
  /** How many recent outcomes the circuit breaker considers. */
  readonly breakerOutcomes: number;
  /** The minimum number of outcomes before it can open. */
  readonly breakerLeast: number;
  /** The fraction of failures at which it opens. */
  readonly breakerShare: number;
  /** Older outcomes no longer count. */
  readonly breakerWindowMs: number;
  /** How long it stays open before a probe. */
  readonly breakerOpenMs: number;
  /** Requests a second by category, if the account's quotas differ from Cognito's defaults or are shared with others. */
  readonly quotas: Partial<Readonly<Record<QuotaCategory, number>>>;
}

/** The default limits. */
export const DEFAULT_LIMITS: CognitoLimits = {
  connectMs: 2_000,
  requestMs: 5_000,
  callMs: 9_000,
  tries: 3,
  backoffMs: 100,
  maxBackoffMs: 1_000,
  retryReserve: 10,
  retryShare: 0.1,
  breakerOutcomes: 20,
  breakerLeast: 10,
  breakerShare: 0.5,
  breakerWindowMs: 10_000,
  breakerOpenMs: 1_000,
  quotas: {},
};

/** The options of `createCognitoProvider`. */
export interface CognitoOptions {
  readonly region: string;
  readonly userPoolId: string;
  readonly clientId: string;
  /** The secrets of the app client: none, one, or two during a rotation. The first one that works is used. */
  readonly clientSecrets: readonly string[];
  /**
   * The URL of the API, if not Amazon's for the region. A non-Amazon endpoint receives the client's address (`X-Forwarded-For`) with
   * unsigned requests, so that a self-hosted service there can limit clients instead of this service.
   */
  readonly endpoint?: string;
  /** The URL of the signing keys, if not relative to the endpoint or the issuer. */
  readonly jwksUrl?: string;
  /** The `iss` of the pool's tokens, if it does not have Amazon's usual form. */
  readonly issuer?: string;
  /** The assumed MFA and passkey settings while the pool's settings cannot be read. */
  readonly assumed?: Partial<Pick<PoolDescription, 'mfa' | 'passkeys'>>;
  /** Returns the credentials for signed calls. By default, the SDK's own chain finds them at the first such call. */
  readonly credentials?: () => Promise<AwsCredentials>;
  readonly clock: Clock;
  readonly timer?: Timer;
  /** Returns a number from 0 to below 1, which spreads retries and is not security-relevant. */
  readonly random?: () => number;
  readonly limits?: Partial<CognitoLimits>;
}

/** The options with all defaults. */
export interface ResolvedOptions extends CognitoOptions {
  readonly timer: Timer;
  readonly random: () => number;
  readonly limits: CognitoLimits;
  readonly issuer: string;
  /** The URL of the API. */
  readonly apiUrl: string;
  /** Whether that is a self-hosted service, which receives client addresses. Amazon never does. */
  readonly sendsClientAddress: boolean;
  readonly jwksUrl: string;
}

/**
 * Validates the options and adds the defaults.
 * @throws {TypeError|RangeError} with the name of the invalid option
 */
export function resolveOptions(options: CognitoOptions): ResolvedOptions {
  const { region, userPoolId, clientId, clientSecrets, endpoint } = options;
  if (!/^[a-z0-9-]{1,32}$/.test(region)) throw new TypeError('region must be the name of an AWS region');
  if (!/^[\w-]{1,45}_[0-9a-zA-Z]+$/.test(userPoolId)) throw new TypeError('userPoolId must be the id of a user pool');
  if (!/^[\w+]{1,128}$/.test(clientId)) throw new TypeError('clientId must be the id of an app client');
  if (clientSecrets.length > 2) throw new RangeError('clientSecrets holds more than two secrets');
  if (clientSecrets.some((secret) => secret === '')) throw new TypeError('clientSecrets holds an empty secret');
  for (const name of ['endpoint', 'jwksUrl'] as const) requireUrl(name, options[name]);
  requireLimits(options.limits ?? {});
  const atAmazon = `https://cognito-idp.${region}.${findAwsDomain(region)}`;
  const issuer = options.issuer ?? `${atAmazon}/${userPoolId}`;
  const keysBelow = endpoint === undefined ? issuer : `${endpoint.replace(/\/+$/, '')}/${userPoolId}`;
  return {
    ...options,
    issuer,
    apiUrl: endpoint ?? atAmazon,
    sendsClientAddress: endpoint !== undefined && !AMAZON.test(new URL(endpoint).hostname),
    jwksUrl: options.jwksUrl ?? `${keysBelow}/.well-known/jwks.json`,
    timer: options.timer ?? systemTimer,
    random: options.random ?? drawRandom,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
}

/** Hosts of AWS in all partitions: regional, FIPS, dual-stack and PrivateLink endpoints. */
const AMAZON = /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|api\.aws|api\.amazonwebservices\.com\.cn|amazonaws\.eu)\.?$/i;

const systemTimer: Timer = {
  after(delayMs, run) {
    const timeout = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timeout);
  },
};

const RANDOM_STEPS = 2 ** 32;
const drawRandom = () => randomInt(RANDOM_STEPS) / RANDOM_STEPS;

function findAwsDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

function requireLimits({ quotas = {}, ...numbers }: Partial<CognitoLimits>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value >= 0)) throw new RangeError(`limits.${name} must be a number that is not negative`);
  }
  for (const [category, rate] of Object.entries(quotas)) {
    if (!Object.hasOwn(QUOTAS, category)) throw new TypeError(`limits.quotas.${category} is no category of Cognito`);
    if (!(rate > 0 && Number.isFinite(rate))) throw new RangeError(`limits.quotas.${category} must be above 0`);
  }
}

function requireUrl(name: 'endpoint' | 'jwksUrl', value: string | undefined): void {
  if (value === undefined) return;
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`${name} must be an http or https URL`);
}
