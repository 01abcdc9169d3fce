import { Buffer } from 'node:buffer';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { FactorProof } from '../web-sessions/factor-proofs.ts';
import { toDigestHex } from './digest-hex.ts';

/** What a login that is under way has shown, for the step that comes next. */
export interface PendingLogin {
  /** Digest of the challenge session that these facts belong to: another login begins anew. */
  readonly sessionDigestHex: string;
  readonly proofs: readonly FactorProof[];
  readonly staysSignedIn: boolean;
}

/** The session of the reset code that a browser asked for last. */
export interface PendingReset {
  /** Digest of the name that the code was asked for with. */
  readonly nameDigestHex: string;
  readonly session: string;
}

/** What a browser carries while nobody is signed in, so that nothing is stored for it. */
export interface PreLoginState {
  readonly csrfToken: string;
  readonly issuedAtMs: number;
  readonly pending?: PendingLogin | undefined;
  readonly reset?: PendingReset | undefined;
  /** The session of the registration that was made here last. */
  readonly registration?: string | undefined;
}

const PURPOSE = 'web-login';
const CSRF_BYTES = 32;
/** A page that stayed open for longer is told to reload. */
const LIFE_MS = 24 * 3_600_000;

/** A secret that a page must know to change anything. */
export function createCsrfToken({ random }: Pick<GatewayDeps, 'random'>): string {
  return Buffer.from(random(CSRF_BYTES)).toString('base64url');
}

/** A browser that was not here before, or is no longer signed in. */
export function createPreLogin(deps: Pick<GatewayDeps, 'random' | 'clock'>): PreLoginState {
  return { csrfToken: createCsrfToken(deps), issuedAtMs: deps.clock.now() };
}

/** The value of the cookie: only who has `POOLGATE_SECRET` makes one. */
export function encryptPreLogin({ keyRing }: Pick<GatewayDeps, 'keyRing'>, preLogin: PreLoginState): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(preLogin), 'utf8'), '');
}

/** What the cookie carries; undefined where there is none, or it is not ours, or too old. */
export function decryptPreLogin(
  { keyRing, clock }: Pick<GatewayDeps, 'keyRing' | 'clock'>,
  value: string | undefined,
): PreLoginState | undefined {
  const bytes = value === undefined ? undefined : keyRing.decrypt(PURPOSE, value, '');
  if (bytes === undefined) return undefined;
  const preLogin = JSON.parse(Buffer.from(bytes).toString('utf8')) as PreLoginState;
  return clock.now() - preLogin.issuedAtMs < LIFE_MS ? preLogin : undefined;
}

/** What is known of the login that a challenge session belongs to. */
export function findPendingLogin(
  preLogin: PreLoginState | undefined,
  session: string | undefined,
): PendingLogin | undefined {
  const pending = preLogin?.pending;
  return session !== undefined && pending?.sessionDigestHex === toDigestHex(session) ? pending : undefined;
}
