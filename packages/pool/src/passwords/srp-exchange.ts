import { ProviderError } from '@poolgate/provider';
import {
  COGNITO_GROUP,
  drawPrivateValue,
  formatTimestamp,
  parsePublicValue,
  parseTimestamp,
  type ServerExchange,
  type SrpEngine,
  SrpError,
  type SrpIdentity,
  verifyClaim,
} from '@poolgate/srp';
import type { PoolRuntime } from '../runtime.ts';
import { incorrectPassword } from '../shared/login-errors.ts';

/** How far a `TIMESTAMP` may be from now, either way. Cognito names no number. */
const TIMESTAMP_TOLERANCE_MS = 300_000;

/** K, and by what the verifier is known again that it was made with. */
const KEY_BYTES = 16;
const FINGERPRINT_LENGTH = 16;
const SALT_END = 8;
const EXCHANGE_BYTES = KEY_BYTES + FINGERPRINT_LENGTH;

/** Keys and values that a client sent. */
type SentParameters = Readonly<Record<string, string>>;

/**
 * Refuses an `SRP_A` that would fix the outcome of the exchange. Before anything else is done, so that
 * it costs the same for every name: nothing.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkSrpA(sent: SentParameters): void {
  try {
    parsePublicValue(sent.SRP_A ?? '', 'SRP_A', COGNITO_GROUP);
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw invalidSrpA(cause);
  }
}

function invalidSrpA(cause: SrpError): ProviderError {
  return new ProviderError('InvalidParameterException', 'Invalid SRP_A', { cause });
}

/** By what a verifier is known again: whoever replaces it makes it another salt, or at least at another time. */
export interface VerifierIdentity {
  readonly saltHex: string;
  /** Milliseconds since the epoch. */
  readonly setAtMs: number;
}

/** A verifier as it is kept. */
export interface VerifierForExchange extends VerifierIdentity {
  /** Unsigned big-endian. */
  readonly verifier: Uint8Array;
}

/** The server's half of an exchange: what the client gets of it, and what is encrypted until the answer comes. */
export interface StartedExchange {
  readonly srpBHex: string;
  readonly state: Uint8Array;
}

/**
 * Answers an `SRP_A`. Three exponentiations: all that the claim is to be compared with is computed here, so that neither the
 * private value b nor the verifier is needed again.
 * @throws {ProviderError} `InvalidParameterException`
 */
export async function startExchange(
  context: PoolRuntime,
  kept: VerifierForExchange,
  sent: SentParameters,
): Promise<StartedExchange> {
  const { srpBHex, key } = await exchangeOn(context, kept, sent.SRP_A ?? '');
  return { srpBHex, state: Buffer.concat([key, verifierFingerprint(kept)]) };
}

async function exchangeOn(
  { computations, random }: PoolRuntime,
  { verifier }: VerifierForExchange,
  srpAHex: string,
): Promise<ServerExchange> {
  try {
    return await computations.srp.answerSrpA({ bHex: drawPrivateValue(random), verifier, srpAHex });
  } catch (cause) {
    if (!(cause instanceof SrpError) || cause.code === 'weak_verifier') throw cause;
    throw invalidSrpA(cause);
  }
}

/** Not by how it is encrypted: that changes with the secret of the service, and no login should fail by it. */
function verifierFingerprint({ saltHex, setAtMs }: VerifierIdentity): Buffer {
  const mark = Buffer.alloc(FINGERPRINT_LENGTH);
  mark.writeDoubleBE(setAtMs);
  mark.write(saltHex.slice(-SALT_END), FINGERPRINT_LENGTH - SALT_END);
  return mark;
}

/** What stands after the exchange in an encrypted state. */
export function stateAfterExchange(state: Uint8Array): Uint8Array {
  return state.subarray(EXCHANGE_BYTES);
}

/**
 * A stale or malformed timestamp says nothing about the secret: no guess, and the block stays good for a fresh one.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function requireFreshTimestamp(sent: SentParameters, nowMs: number): void {
  if (Math.abs(nowMs - readTimestamp(sent.TIMESTAMP ?? '')) > TIMESTAMP_TOLERANCE_MS) throw incorrectPassword();
}

/** Amazon refuses a weekday that does not fit the date (measured: ministack pull request 1758). */
function readTimestamp(text: string): number {
  try {
    const ms = parseTimestamp(text);
    if (formatTimestamp(ms) === text) return ms;
    throw incorrectPassword();
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw incorrectPassword(cause);
  }
}

/** A claim to know the secret behind a verifier. */
export interface ExchangeClaim extends VerifierIdentity {
  readonly engine: SrpEngine;
  readonly identity: SrpIdentity;
  readonly state: Uint8Array;
  readonly sent: SentParameters;
}

/** Whether the claim holds, and the verifier is still the one that the exchange began with. */
export function verifyExchangeClaim({ engine, identity, state, sent, ...mark }: ExchangeClaim): boolean {
  const claim = {
    identity,
    secretBlockB64: sent.PASSWORD_CLAIM_SECRET_BLOCK ?? '',
    timestamp: sent.TIMESTAMP ?? '',
  };
  // Without its state a session opens as well, and everybody knows a key of no bytes.
  if (state.length < EXCHANGE_BYTES) return false;
  const key = state.subarray(0, KEY_BYTES);
  const isSame = verifierFingerprint(mark).equals(state.subarray(KEY_BYTES, EXCHANGE_BYTES));
  try {
    return verifyClaim(engine, key, claim, sent.PASSWORD_CLAIM_SIGNATURE ?? '') && isSame;
  } catch (error) {
    if (error instanceof SrpError) return false;
    throw error;
  }
}
