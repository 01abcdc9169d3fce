import { ProviderError } from '@poolgate/provider';
import {
  COGNITO_GROUP,
  finishServer,
  parsePublicValue,
  parseTimestamp,
  type ServerStart,
  SrpError,
  startServer,
  verifyClaim,
} from '@poolgate/srp';
import { PASSWORD_GUESSES } from '../domain/lockout.ts';
import { openVerifier } from '../domain/passwords.ts';
import { srpPoolName } from '../domain/pools.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import type { AnswerStep, Challenge, Parameters } from './challenge.ts';

/** How far a `TIMESTAMP` may be from now, either way. Cognito names no number. */
const TIMESTAMP_TOLERANCE_MS = 300_000;

/** `SRP_A` and `SRP_B` are as long as N at most, with one sign byte in front; b has its top bit set. */
const PUBLIC_BYTES = COGNITO_GROUP.lengthBytes + 1;
const PRIVATE_BYTES = 32;

/**
 * Refuses an `SRP_A` that would fix the outcome of the exchange. Before anything else is done, so that
 * it costs the same for every name: nothing.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkSrpA(sent: Parameters): void {
  try {
    parsePublicValue(sent.SRP_A ?? '', 'SRP_A', COGNITO_GROUP);
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw new ProviderError('InvalidParameterException', 'Invalid SRP_A', { cause });
  }
}

/**
 * The password by SRP-6a. The server's half of the exchange lies sealed in the secret block, which the client signs and returns.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const passwordVerifier: Challenge = {
  name: 'PASSWORD_VERIFIER',
  counter: PASSWORD_GUESSES,
  spentByFailure: true,
  carrier: 'secretBlock',
  issue({ context, candidate, sent }) {
    const verifier = openVerifier(context, candidate.credential);
    const start = startServer({ engine: context.engine, random: context.random, verifier });
    const { userId, saltHex } = candidate;
    return {
      parameters: { SALT: saltHex, SRP_B: start.srpBHex, USERNAME: userId, USER_ID_FOR_SRP: userId },
      state: packExchange({ ...start, srpAHex: sent.SRP_A ?? '' }),
    };
  },
  answer(step) {
    requireFresh(step);
    const isRight = isRightClaim(step);
    const hasPassword = step.candidate.found?.credential !== undefined;
    return isRight && hasPassword ? { outcome: 'proven' } : { outcome: 'disproven', error: incorrectPassword() };
  },
};

/** A stale or malformed timestamp says nothing about the password: no guess, and the block stays good for a fresh one. */
function requireFresh({ sent, nowMs }: AnswerStep): void {
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

function isRightClaim(step: AnswerStep): boolean {
  try {
    return verifyStep(step);
  } catch (error) {
    // The exchange is checked a second time: values that were refused at the start have nothing to lose here either.
    if (error instanceof SrpError) return false;
    throw error;
  }
}

function verifyStep({ context, pool, candidate, state, sent }: AnswerStep): boolean {
  const { engine } = context;
  const verifier = openVerifier(context, candidate.credential);
  const key = finishServer({ engine, verifier, ...unpackExchange(state) });
  const claim = {
    identity: { poolName: srpPoolName(pool.id), userIdForSrp: candidate.userId },
    secretBlockB64: sent.PASSWORD_CLAIM_SECRET_BLOCK ?? '',
    timestamp: sent.TIMESTAMP ?? '',
  };
  return verifyClaim(engine, key, claim, sent.PASSWORD_CLAIM_SIGNATURE ?? '');
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
    bHex: packed.toString('hex', 2 * PUBLIC_BYTES),
  };
}

function fixedBytes(hex: string, length: number): Buffer {
  return Buffer.from(hex.padStart(2 * length, '0'), 'hex');
}
