import assert from 'node:assert/strict';
import {
  type ClientStart,
  formatTimestamp,
  hashPassword,
  secureRandom,
  signPasswordClaim,
  startClient,
  toHex,
} from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import type { Exchange } from '../requests/exchange.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';

/** A login that waits for its proof. */
export interface RouteChallenge {
  readonly username: string;
  /** The client's start; undefined if the service created it. */
  readonly start: ClientStart | undefined;
  readonly session: string;
  readonly sessionToken: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The parameters of a login that differ from the defaults. */
export interface RouteStart {
  /** The session of a registration. */
  readonly session?: unknown;
  /** True: `srp_a` is omitted. */
  readonly serverMade?: boolean;
  readonly sessionToken?: string;
  /** The prefix of the routes. Default: none. */
  readonly prefix?: string;
}

/** A fresh start of a client. */
export const createSrpStart = (): ClientStart => startClient({ engine, random: secureRandom });

/** POST /login/srp. */
export async function startSrpLogin(
  service: TestService,
  username: string,
  options: RouteStart = {},
): Promise<RouteChallenge> {
  const start = options.serverMade ? undefined : createSrpStart();
  const answer = await service.post(`${options.prefix ?? ''}/login/srp`, {
    username,
    ...(start && { srp_a: start.srpAHex }),
    ...(options.sessionToken && { session_token: options.sessionToken }),
    ...(options.session !== undefined && { session: options.session }),
  });
  assert.deepEqual([answer.status, answer.body.challenge_name], [200, 'PASSWORD_VERIFIER'], answer.text);
  return {
    username,
    start,
    session: String(answer.body.session),
    sessionToken: String(answer.body.session_token),
    parameters: answer.body.challenge_params as Readonly<Record<string, string>>,
  };
}

function toSrpIdentity({ poolName }: TestService, { parameters }: RouteChallenge) {
  return { poolName, userIdForSrp: parameters.USER_ID_FOR_SRP ?? '' };
}

/** `PASSKEY_HASH` of the requirements: equivalent to the password. */
export function computePasskeyHash(service: TestService, challenge: RouteChallenge, password = PASSWORD): string {
  return toHex(hashPassword(engine, toSrpIdentity(service, challenge), password));
}

/** Creates a finished claim: nothing secret reaches the service. */
export function createSignedClaim(
  service: TestService,
  challenge: RouteChallenge,
  password = PASSWORD,
  timestamp = formatTimestamp(service.clock.now()),
): Readonly<Record<string, string>> {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = challenge.parameters;
  assert.ok(challenge.start, 'only who made a can sign');
  const identity = toSrpIdentity(service, challenge);
  const signature = signPasswordClaim({
    engine,
    ...challenge.start,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(engine, identity, password),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  return { PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK, TIMESTAMP: timestamp, PASSWORD_CLAIM_SIGNATURE: signature };
}

/** The five keys of the requirements. */
export function createFiveKeyClaim(
  service: TestService,
  challenge: RouteChallenge,
  password = PASSWORD,
): Readonly<Record<string, string>> {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = challenge.parameters;
  return { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP, PASSKEY_HASH: computePasskeyHash(service, challenge, password) };
}

/** Creates a claim for the service to sign. */
export function createUnsignedClaim(
  service: TestService,
  challenge: RouteChallenge,
  password = PASSWORD,
): Readonly<Record<string, string>> {
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: challenge.parameters.SECRET_BLOCK ?? '',
    TIMESTAMP: new Date(service.clock.now()).toISOString(),
    PASSKEY_HASH: computePasskeyHash(service, challenge, password),
  };
}

/** The body of an answer to PASSWORD_VERIFIER. */
export function createVerifierAnswer(
  challenge: RouteChallenge,
  value: unknown,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { session, username } = challenge;
  return { challenge_name: 'PASSWORD_VERIFIER', session, username, challenge_value: value, ...more };
}

/**
 * A complete login: `/login/srp`, then a finished claim to `/login/auth-challenge`.
 * @param options of the first request
 */
export async function logInBySrp(
  service: TestService,
  username: string,
  password = PASSWORD,
  options: RouteStart = {},
): Promise<Exchange> {
  const challenge = await startSrpLogin(service, username, options);
  return service.post(
    '/login/auth-challenge',
    createVerifierAnswer(challenge, createSignedClaim(service, challenge, password)),
  );
}
