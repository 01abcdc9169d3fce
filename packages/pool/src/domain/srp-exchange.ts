import { ProviderError } from '@poolgate/provider';
import {
  COGNITO_GROUP,
  type Engine,
  finishServer,
  parsePublicValue,
  parseTimestamp,
  type ServerStart,
  SrpError,
  type SrpIdentity,
  startServer,
  verifyClaim,
} from '@poolgate/srp';
import type { PoolRuntime } from '../runtime.ts';
import { incorrectPassword } from './refusals.ts';

/** How far a `TIMESTAMP` may be from now, either way. Cognito names no number. */
const TIMESTAMP_TOLERANCE_MS = 300_000;

/** `SRP_A` and `SRP_B` are as long as N at most, with one sign byte in front; b has its top bit set. */
const PUBLIC_BYTES = COGNITO_GROUP.lengthBytes + 1;
const PRIVATE_BYTES = 32;
const EXCHANGE_BYTES = 2 * PUBLIC_BYTES + PRIVATE_BYTES;

/** Keys and values that a client sent. */
type Sent = Readonly<Record<string, string>>;

/**
 * Refuses an `SRP_A` that would fix the outcome of the exchange. Before anything else is done, so that
 * it costs the same for every name: nothing.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkSrpA(sent: Sent): void {
  try {
    parsePublicValue(sent.SRP_A ?? '', 'SRP_A', COGNITO_GROUP);
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw new ProviderError('InvalidParameterException', 'Invalid SRP_A', { cause });
  }
}

/** The server's half of an exchange: what the client gets of it, and what is sealed until the answer comes. */
export interface BegunExchange {
  readonly srpBHex: string;
  readonly state: Uint8Array;
}

/** Begins an exchange for a verifier (unsigned big-endian) and a checked `SRP_A`. One exponentiation. */
export function beginExchange(context: PoolRuntime, verifier: Uint8Array, sent: Sent): BegunExchange {
  const start = startServer({ engine: context.engine, random: context.random, verifier });
  return { srpBHex: start.srpBHex, state: packExchange({ ...start, srpAHex: sent.SRP_A ?? '' }) };
}

/** What stands after the exchange in a sealed state. */
export function afterExchange(state: Uint8Array): Uint8Array {
  return state.subarray(EXCHANGE_BYTES);
}

/**
 * A stale or malformed timestamp says nothing about the secret: no guess, and the block stays good for a fresh one.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function requireFreshTimestamp(sent: Sent, nowMs: number): void {
  if (Math.abs(nowMs - readTimestamp(sent.TIMESTAMP ?? '')) > TIMESTAMP_TOLERANCE_MS) throw incorrectPassword();
}

function readTimestamp(text: string): number {
  try {
    return parseTimestamp(text);
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw incorrectPassword(cause);
  }
}

/** A claim to know the secret behind a verifier. */
export interface ExchangeClaim {
  readonly engine: Engine;
  readonly verifier: Uint8Array;
  readonly identity: SrpIdentity;
  readonly state: Uint8Array;
  readonly sent: Sent;
}

/** Whether the claim holds. The exchange is checked a second time: values that were refused at the start are refused here too. */
export function isRightClaim({ engine, verifier, identity, state, sent }: ExchangeClaim): boolean {
  const claim = {
    identity,
    secretBlockB64: sent.PASSWORD_CLAIM_SECRET_BLOCK ?? '',
    timestamp: sent.TIMESTAMP ?? '',
  };
  try {
    const key = finishServer({ engine, verifier, ...unpackExchange(state) });
    return verifyClaim(engine, key, claim, sent.PASSWORD_CLAIM_SIGNATURE ?? '');
  } catch (error) {
    if (error instanceof SrpError) return false;
    throw error;
  }
}

interface Exchange extends ServerStart {
  readonly srpAHex: string;
}

/** A | B | b in fixed lengths: half the size that they have as text. */
function packExchange({ srpAHex, srpBHex, bHex }: Exchange): Uint8Array {
  return Buffer.concat([
    fixedBytes(srpAHex, PUBLIC_BYTES),
    fixedBytes(srpBHex, PUBLIC_BYTES),
    fixedBytes(bHex, PRIVATE_BYTES),
  ]);
}

function unpackExchange(state: Uint8Array): Exchange {
  const packed = Buffer.from(state.buffer, state.byteOffset, state.byteLength);
  return {
    srpAHex: packed.toString('hex', 0, PUBLIC_BYTES),
    srpBHex: packed.toString('hex', PUBLIC_BYTES, 2 * PUBLIC_BYTES),
    bHex: packed.toString('hex', 2 * PUBLIC_BYTES, EXCHANGE_BYTES),
  };
}

function fixedBytes(hex: string, length: number): Buffer {
  return Buffer.from(hex.padStart(2 * length, '0'), 'hex');
}
