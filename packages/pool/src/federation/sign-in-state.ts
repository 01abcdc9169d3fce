import { timingSafeEqual } from 'node:crypto';
import { type FederatedReturn, OAuthError } from '@poolgate/provider';
import type { ClockPort, KeyRingPort, MacPorts, RandomPort, StoreWrites } from '../kernel/ports.ts';
import { computePoolMac } from '../settings/pools-and-clients.ts';
import type { PoolRecord } from '../store/records.ts';

/** How long a sign-in at a provider may take, as at Cognito. */
const SIGN_IN_LIFE_MS = 5 * 60_000;

const PURPOSE = 'federated-sign-in';
const ID_BYTES = 24;
const SECRET_BYTES = 32;
const MAC_BYTES = 16;
const STATE = /^([\w-]{32})\.(\d{10,14})\.([\w-]{22})$/;

/** With the other cookies of the service, what browsers and servers take. */
const MAX_COOKIE_LENGTH = 3_800;

/** The state that the browser carries while its user is at a provider. */
export interface SignInState {
  /** The `state` that the provider returns. */
  readonly state: string;
  readonly poolId: string;
  readonly providerName: string;
  /** The issuer of the provider when the sign-in began. */
  readonly issuer: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly mustLogIn: boolean;
  readonly startedAtMs: number;
  readonly return: FederatedReturn;
}

/** Begins a sign-in: random values that belong together. */
export function createSignInState(
  ports: ClockPort & RandomPort & MacPorts,
  pool: PoolRecord,
  asked: Pick<SignInState, 'providerName' | 'issuer' | 'mustLogIn' | 'return'>,
): SignInState {
  const startedAtMs = ports.clock.now();
  const unsigned = `${randomText(ports, ID_BYTES)}.${startedAtMs + SIGN_IN_LIFE_MS}`;
  return {
    state: `${unsigned}.${signState(ports, pool, unsigned)}`,
    poolId: pool.id,
    nonce: randomText(ports, SECRET_BYTES),
    codeVerifier: randomText(ports, SECRET_BYTES),
    startedAtMs,
    ...asked,
  };
}

function randomText({ random }: RandomPort, bytes: number): string {
  return Buffer.from(random(bytes)).toString('base64url');
}

function signState(ports: MacPorts, pool: PoolRecord, unsigned: string): string {
  const mac = computePoolMac(ports, pool, 'federated-sign-in-state', unsigned);
  return Buffer.from(mac.subarray(0, MAC_BYTES)).toString('base64url');
}

/** Whether a `state` was issued by this pool and has not expired. Anyone can get one: it proves nothing about a browser. */
export function isIssuedState(ports: ClockPort & MacPorts, pool: PoolRecord, state: string): boolean {
  const [, id, expiry, mac] = STATE.exec(state) ?? [];
  if (id === undefined || expiry === undefined || mac === undefined) return false;
  const expected = Buffer.from(signState(ports, pool, `${id}.${expiry}`));
  return timingSafeEqual(Buffer.from(mac), expected) && ports.clock.now() < Number(expiry);
}

/**
 * Encrypts a state for the cookie of the browser that begins the sign-in.
 * @throws {OAuthError} `invalid_request`: the authorization request that waits is too long
 */
export function encryptSignInState({ keyRing }: KeyRingPort, signIn: SignInState): string {
  const cookie = keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(signIn)), signIn.poolId);
  if (cookie.length > MAX_COOKIE_LENGTH) throw new OAuthError('invalid_request', 'The request is too long.');
  return cookie;
}

/** The state in a cookie, if it belongs to this pool and this `state`, and has not expired. */
export function decryptSignInState(
  { keyRing, clock }: KeyRingPort & ClockPort,
  poolId: string,
  { state, cookie }: { readonly state: string; readonly cookie: string },
): SignInState | undefined {
  const bytes = keyRing.decrypt(PURPOSE, cookie, poolId);
  if (bytes === undefined) return undefined;
  const signIn = JSON.parse(Buffer.from(bytes).toString('utf8')) as SignInState;
  const isOurs = signIn.poolId === poolId && signIn.state === state;
  return isOurs && clock.now() < signIn.startedAtMs + SIGN_IN_LIFE_MS ? signIn : undefined;
}

/** Consumes a sign-in in one statement, so that only one of several responses continues. False for the others. */
export async function consumeSignInState(
  ports: StoreWrites<'challengeSessions'>,
  { state, startedAtMs }: SignInState,
): Promise<boolean> {
  const isMine = await ports.store.write(
    ({ challengeSessions }) => challengeSessions.reserveAndSpend(`federation ${state}`, startedAtMs + SIGN_IN_LIFE_MS),
    { isIssuedAtOnce: true },
  );
  return isMine !== undefined;
}
