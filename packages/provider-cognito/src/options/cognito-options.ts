/**
 * What the Cognito provider is given, with its defaults, and Amazon's request quotas.
 */
import { randomInt } from 'node:crypto';
import type { PoolDescription } from '@poolgate/provider';
import { QUOTAS, type QuotaCategory } from './quotas.ts';

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** Runs things later. */
export interface Timer {
  /** Runs something once, after so many milliseconds; gives what calls it off. It keeps no process alive. */
  after(delayMs: number, run: () => void): () => void;
}

/** AWS credentials, as the SDK's own providers give them. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** How long calls to Cognito may take, how often they are tried, and how many there may be. */
export interface CognitoLimits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** For one try, connection and answer included. */
  readonly requestMs: number;
  /** For one call with all its tries. */
  readonly callMs: number;
  /** How often a call is tried at most. */
  readonly tries: number;
  /** The greatest wait before the second try; it doubles with each further one. */
  readonly backoffMs: number;
  /** No wait is longer. */
  readonly maxBackoffMs: number;
  /** How many tries beyond the first are saved up for bad times at most. */
  readonly retryReserve: number;
  /** How many tries beyond the first each call adds to what is saved up. */
  readonly retryShare: number;
  /** How many outcomes the circuit breaker looks back at. */
  readonly breakerOutcomes: number;
  /** How many outcomes there must be before it may open. */
  readonly breakerLeast: number;
  /** The share of failures among them at which it opens. */
  readonly breakerShare: number;
  /** An older outcome counts no more. */
  readonly breakerWindowMs: number;
  /** How long it stays open before one call is let through to see. */
  readonly breakerOpenMs: number;
  /** Requests a second by category, where the account's quotas are not Cognito's default ones, or are shared with others. */
  readonly quotas: Partial<Readonly<Record<QuotaCategory, number>>>;
}

/** The limits that hold where nothing else is set. */
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

/** What `createCognitoProvider` needs to know. */
export interface CognitoOptions {
  readonly region: string;
  readonly userPoolId: string;
  readonly clientId: string;
  /** The secrets of the app client: none, one, or two while they are rotated. The first that works is used. */
  readonly clientSecrets: readonly string[];
  /**
   * Where the API is, if not at Amazon's address of the region. One that is not Amazon's is told the address of the end client
   * (`X-Forwarded-For`) with what needs no signature, so that a service of one's own there can limit clients and not this service.
   */
  readonly endpoint?: string;
  /** Where the signing keys are, if not below the endpoint or the issuer. */
  readonly jwksUrl?: string;
  /** The `iss` of the pool's tokens, if it has not Amazon's usual shape. */
  readonly issuer?: string;
  /** What is said of MFA and passkeys while the pool's settings cannot be read. */
  readonly assumed?: Partial<Pick<PoolDescription, 'mfa' | 'passkeys'>>;
  /** Gives the credentials of signed calls. Left out, the SDK's own chain looks for them at the first such call. */
  readonly credentials?: () => Promise<AwsCredentials>;
  readonly clock: Clock;
  readonly timer?: Timer;
  /** A number from 0 up to but not 1. It spreads retries and protects nothing. */
  readonly random?: () => number;
  readonly limits?: Partial<CognitoLimits>;
}

/** The options with every gap filled. */
export interface ResolvedOptions extends CognitoOptions {
  readonly timer: Timer;
  readonly random: () => number;
  readonly limits: CognitoLimits;
  readonly issuer: string;
  /** Where the API is. */
  readonly apiUrl: string;
  /** Whether that is a service of one's own, which is told who asks. Amazon never is. */
  readonly sendsClientAddress: boolean;
  readonly jwksUrl: string;
}

/**
 * Checks the options and fills the gaps.
 * @throws {TypeError|RangeError} naming the option that is wrong
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
