import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { OutgoingMessage } from '../../delivery/message-queue.ts';
import { type Contact, toCodeDeliveryDetails } from '../../identity/contacts.ts';
import type { MacPorts, RandomPort } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { MessageKind } from '../../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import { generateCode } from './stored-codes.ts';

/** Limits how long a code is useful to anyone else who reads it (NIST SP 800-63B §3.1.3.2). */
const MAX_LIFETIME_MS = 10 * 60_000;

const DIGEST_BYTES = 32;
const STATE_BYTES = 2 * DIGEST_BYTES + 8;

/** What a code proves, and for whom. The same code for another purpose has another digest. */
interface LoginCodeScope {
  readonly purpose: string;
  readonly username: string;
}

/** A code that a login should send. */
export interface LoginCodeRequest extends LoginCodeScope {
  readonly kind: MessageKind;
  readonly digits: number;
  readonly contact: Contact;
  /** The name with which the user signs in, for the message. */
  readonly typedName: string;
  readonly locale: string | undefined;
  /** True if nothing is sent and no code is correct. */
  readonly isDecoy: boolean;
  /** When the session that waits for the code expires. */
  readonly sessionEndsAtMs: number;
  readonly nowMs: number;
}

/** A prepared code: the challenge's parameters, the session's data, and the message. */
export interface PreparedLoginCode {
  readonly parameters: { readonly CODE_DELIVERY_DELIVERY_MEDIUM: string; readonly CODE_DELIVERY_DESTINATION: string };
  readonly state: Uint8Array;
  readonly message: OutgoingMessage;
}

/** The stored data of a sent code: digests and a time. It has the same length for a decoy code. */
export interface LoginCodeState {
  readonly codeDigest: Uint8Array;
  readonly destinationDigest: Uint8Array;
  readonly expiresAtMs: number;
}

/** Generates a code. It works once the challenge with its state was issued. */
export function prepareLoginCode(
  ports: MacPorts & RandomPort,
  pool: PoolRecord,
  wanted: LoginCodeRequest,
): PreparedLoginCode {
  const { kind, digits, contact, typedName, locale, isDecoy } = wanted;
  const code = generateCode(ports.random, digits);
  const expiresAtMs = Math.min(wanted.sessionEndsAtMs, wanted.nowMs + MAX_LIFETIME_MS);
  const { DeliveryMedium, Destination } = toCodeDeliveryDetails(contact);
  return {
    parameters: { CODE_DELIVERY_DELIVERY_MEDIUM: DeliveryMedium, CODE_DELIVERY_DESTINATION: Destination },
    state: encodeLoginCodeState(ports, pool, wanted, { code, expiresAtMs }),
    message: { kind, contact, username: typedName, code, expiresAtMs, locale, discard: isDecoy },
  };
}

/** For a decoy, it contains the digest of nothing, which no code has. */
function encodeLoginCodeState(
  ports: MacPorts & RandomPort,
  pool: PoolRecord,
  { isDecoy, contact, ...scope }: LoginCodeRequest,
  { code, expiresAtMs }: Pick<OutgoingMessage, 'code' | 'expiresAtMs'>,
): Uint8Array {
  const nothing = ports.random(DIGEST_BYTES);
  const codeDigest = digestLoginCode(ports, pool, scope, code);
  const expiry = Buffer.alloc(8);
  expiry.writeBigUInt64BE(BigInt(expiresAtMs));
  return Buffer.concat([isDecoy ? nothing : codeDigest, digestDestination(ports, pool, contact.destination), expiry]);
}

/** Decodes the state of a {@link PreparedLoginCode}. */
export function decodeLoginCodeState(state: Uint8Array): LoginCodeState {
  const bytes = Buffer.from(state.buffer, state.byteOffset, state.byteLength);
  return {
    codeDigest: bytes.subarray(0, DIGEST_BYTES),
    destinationDigest: bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    expiresAtMs: Number(bytes.readBigUInt64BE(2 * DIGEST_BYTES)),
  };
}

/** Returns the part of an encrypted state that follows the code. */
export function readStateAfterLoginCode(state: Uint8Array): Uint8Array {
  return state.subarray(STATE_BYTES);
}

/** An answer with a code. */
export interface LoginCodeAnswer extends LoginCodeScope {
  readonly code: string;
  readonly nowMs: number;
}

/** Returns why a code is not the one that was sent; undefined if it is. Only a caller with the correct code learns that it has expired. */
export function findLoginCodeError(
  ports: MacPorts,
  pool: PoolRecord,
  kept: LoginCodeState,
  { code, nowMs, ...scope }: LoginCodeAnswer,
): ProviderError | undefined {
  if (!timingSafeEqual(digestLoginCode(ports, pool, scope, code), kept.codeDigest)) return wrongLoginCodeError();
  return nowMs < kept.expiresAtMs ? undefined : expiredLoginCodeError();
}

/**
 * Checks, in the write that decides on a login, whether the code was sent to the user's current contact. A contact that changed in the
 * meantime must be verified itself.
 */
export function createSameContactCheck(
  ports: MacPorts,
  pool: PoolRecord,
  kept: LoginCodeState,
  attribute: Contact['attribute'],
): (reads: unknown, current: { readonly user: UserRecord }) => Promise<ProviderError | undefined> {
  return async (_, { user }) => {
    const digest = digestDestination(ports, pool, user.attributes[attribute] ?? '');
    return timingSafeEqual(digest, kept.destinationDigest) ? undefined : wrongLoginCodeError();
  };
}

/** Keyed, because a million codes are easy to try. */
function digestLoginCode(ports: MacPorts, pool: PoolRecord, scope: LoginCodeScope, code: string): Uint8Array {
  return computePoolMac(ports, pool, 'login-code', JSON.stringify([scope.purpose, scope.username, code]));
}

function digestDestination(ports: MacPorts, pool: PoolRecord, destination: string): Uint8Array {
  return computePoolMac(ports, pool, 'login-code-destination', destination);
}

/** Cognito's response to a wrong code in a login. */
export function wrongLoginCodeError(): ProviderError {
  return new ProviderError('CodeMismatchException', 'Invalid code or auth state for the user.');
}

function expiredLoginCodeError(): ProviderError {
  return new ProviderError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
}
