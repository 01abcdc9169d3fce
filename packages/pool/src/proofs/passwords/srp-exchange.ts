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
import { incorrectPasswordError } from '../../identity/login-errors.ts';
import type { RandomPort } from '../../kernel/ports.ts';
import type { SrpPort } from './password-ports.ts';

/** How far a `TIMESTAMP` may differ from the current time in either direction. Cognito documents no number. */
const TIMESTAMP_TOLERANCE_MS = 300_000;

/** K, and the padded version of the verifier. */
const KEY_BYTES = 16;
const VERSION_BYTES = 32;
const EXCHANGE_BYTES = KEY_BYTES + VERSION_BYTES;

/** A client's parameters. */
type ChallengeParameters = Readonly<Record<string, string>>;

/**
 * Rejects an `SRP_A` that would fix the outcome of the exchange. It runs before anything else, so the cost is the same for every name.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkSrpA(sent: ChallengeParameters): void {
  try {
    parsePublicValue(sent.SRP_A ?? '', 'SRP_A', COGNITO_GROUP);
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw invalidSrpAError(cause);
  }
}

function invalidSrpAError(cause: SrpError): ProviderError {
  return new ProviderError('InvalidParameterException', 'Invalid SRP_A', { cause });
}

/** A stored verifier. */
export interface VersionedVerifier {
  /** Identifies the verifier. Up to 32 ASCII characters. */
  readonly version: string;
  /** Unsigned big-endian. */
  readonly verifier: Uint8Array;
}

/** The server's half of an exchange: the client's part, and what is encrypted until the answer arrives. */
export interface SrpExchangeStart {
  readonly srpBHex: string;
  readonly state: Uint8Array;
}

/**
 * Answers an `SRP_A`. It takes three exponentiations and computes everything for the later comparison, so neither the private value b nor
 * the verifier is needed again.
 * @throws {ProviderError} `InvalidParameterException`
 */
export async function startSrpExchange(
  ports: RandomPort & SrpPort,
  kept: VersionedVerifier,
  sent: ChallengeParameters,
): Promise<SrpExchangeStart> {
  const { srpBHex, key } = await computeServerExchange(ports, kept, sent.SRP_A ?? '');
  return { srpBHex, state: Buffer.concat([key, encodeVersion(kept.version)]) };
}

async function computeServerExchange(
  { srp, random }: RandomPort & SrpPort,
  { verifier }: VersionedVerifier,
  srpAHex: string,
): Promise<ServerExchange> {
  try {
    return await srp.answerSrpA({ bHex: drawPrivateValue(random), verifier, srpAHex });
  } catch (cause) {
    if (!(cause instanceof SrpError) || cause.code === 'weak_verifier') throw cause;
    throw invalidSrpAError(cause);
  }
}

function encodeVersion(version: string): Buffer {
  const bytes = Buffer.alloc(VERSION_BYTES);
  bytes.write(version, 'latin1');
  return bytes;
}

/** Returns the part of an encrypted state that follows the exchange. */
export function readStateAfterExchange(state: Uint8Array): Uint8Array {
  return state.subarray(EXCHANGE_BYTES);
}

/**
 * A stale or malformed timestamp says nothing about the secret. It is not a guess, and the block stays valid for a new one.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function requireFreshTimestamp(sent: ChallengeParameters, nowMs: number): void {
  if (Math.abs(nowMs - readTimestamp(sent.TIMESTAMP ?? '')) > TIMESTAMP_TOLERANCE_MS) throw incorrectPasswordError();
}

/** Amazon rejects a weekday that does not match the date (measured: ministack pull request 1758). */
function readTimestamp(text: string): number {
  try {
    const ms = parseTimestamp(text);
    if (formatTimestamp(ms) === text) return ms;
    throw incorrectPasswordError();
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw incorrectPasswordError(cause);
  }
}

/** A claim to know the secret of a verifier. */
export interface SrpExchangeClaim {
  /** The version of the current verifier. */
  readonly version: string;
  readonly engine: SrpEngine;
  readonly identity: SrpIdentity;
  readonly state: Uint8Array;
  readonly sent: ChallengeParameters;
}

/** Whether the claim is valid, and the verifier is still the one from the start of the exchange. */
export function verifySrpExchangeClaim({ engine, identity, state, sent, version }: SrpExchangeClaim): boolean {
  const claim = {
    identity,
    secretBlockB64: sent.PASSWORD_CLAIM_SECRET_BLOCK ?? '',
    timestamp: sent.TIMESTAMP ?? '',
  };
  // A session also decrypts without its state, and a key of zero bytes is public.
  if (state.length < EXCHANGE_BYTES) return false;
  const key = state.subarray(0, KEY_BYTES);
  const isSame = encodeVersion(version).equals(state.subarray(KEY_BYTES, EXCHANGE_BYTES));
  try {
    return verifyClaim(engine, key, claim, sent.PASSWORD_CLAIM_SIGNATURE ?? '') && isSame;
  } catch (error) {
    if (error instanceof SrpError) return false;
    throw error;
  }
}
