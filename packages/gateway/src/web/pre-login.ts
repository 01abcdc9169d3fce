import { Buffer } from 'node:buffer';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { FactorProof } from '../web-sessions/factor-proofs.ts';
import { toDigestHex } from './digest-hex.ts';

/** The proofs of a running login, for its next step. */
export interface PendingLogin {
  /** Digest of the challenge session to which these facts belong. Another login starts without them. */
  readonly sessionDigestHex: string;
  readonly proofs: readonly FactorProof[];
  readonly staysSignedIn: boolean;
}

/** The session of the browser's latest reset code. */
export interface PendingReset {
  /** Digest of the name that requested the code. */
  readonly nameDigestHex: string;
  readonly session: string;
}

/** The state that a browser holds before sign-in, so that nothing is stored for it. */
export interface PreLoginState {
  readonly csrfToken: string;
  readonly issuedAtMs: number;
  readonly pending?: PendingLogin | undefined;
  readonly reset?: PendingReset | undefined;
  /** The session of the browser's latest registration. */
  readonly registration?: string | undefined;
}

const PURPOSE = 'web-login';
const CSRF_BYTES = 32;
/** A page that was open for longer must be reloaded. */
const LIFE_MS = 24 * 3_600_000;

/** Creates the secret that a page must know to change anything. */
export function createCsrfToken({ random }: Pick<GatewayDeps, 'random'>): string {
  return Buffer.from(random(CSRF_BYTES)).toString('base64url');
}

/** The state of a new browser, or of one that is no longer signed in. */
export function createPreLogin(deps: Pick<GatewayDeps, 'random' | 'clock'>): PreLoginState {
  return { csrfToken: createCsrfToken(deps), issuedAtMs: deps.clock.now() };
}

/** The value of the cookie. Only a holder of `POOLGATE_SECRET` can create one. */
export function encryptPreLogin(
  { keyRing, site }: Pick<GatewayRuntime, 'keyRing' | 'site'>,
  preLogin: PreLoginState,
): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(preLogin), 'utf8'), site.otherPoolId ?? '');
}

/** Decrypts the cookie; undefined if it is missing, invalid or too old. */
export function decryptPreLogin(
  { keyRing, clock, site }: Pick<GatewayRuntime, 'keyRing' | 'clock' | 'site'>,
  value: string | undefined,
): PreLoginState | undefined {
  const bytes = value === undefined ? undefined : keyRing.decrypt(PURPOSE, value, site.otherPoolId ?? '');
  if (bytes === undefined) return undefined;
  const preLogin = JSON.parse(Buffer.from(bytes).toString('utf8')) as PreLoginState;
  return clock.now() - preLogin.issuedAtMs < LIFE_MS ? preLogin : undefined;
}

/** Returns what is known about the login of a challenge session. */
export function findPendingLogin(
  preLogin: PreLoginState | undefined,
  session: string | undefined,
): PendingLogin | undefined {
  const pending = preLogin?.pending;
  return session !== undefined && pending?.sessionDigestHex === toDigestHex(session) ? pending : undefined;
}
