import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { OutgoingMessage } from '../../delivery/message-queue.ts';
import { type Contact, toCodeDeliveryDetails } from '../../identity/contacts.ts';
import type { MacPorts, RandomPort } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { MessageKind } from '../../store/pool-and-client-settings.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import { generateCode } from './stored-codes.ts';

/** A code that was read by somebody else is of use for no longer than this (NIST SP 800-63B §3.1.3.2). */
const MAX_LIFETIME_MS = 10 * 60_000;

const DIGEST_BYTES = 32;
const STATE_BYTES = 2 * DIGEST_BYTES + 8;

/** What a code proves, and of whom. The same code for something else has another digest. */
interface LoginCodeScope {
  readonly purpose: string;
  readonly username: string;
}

/** A code that a login is to send. */
export interface LoginCodeRequest extends LoginCodeScope {
  readonly kind: MessageKind;
  readonly digits: number;
  readonly contact: Contact;
  /** The name that the user signs in with, for the message. */
  readonly typedName: string;
  readonly locale: string | undefined;
  /** True: nothing is sent, and no code is right. */
  readonly isDecoy: boolean;
  /** When the session ends that waits for the code. */
  readonly sessionEndsAtMs: number;
  readonly nowMs: number;
}

/** A code on its way: what its challenge tells, what the session keeps, and the message. */
export interface PreparedLoginCode {
  readonly parameters: { readonly CODE_DELIVERY_DELIVERY_MEDIUM: string; readonly CODE_DELIVERY_DESTINATION: string };
  readonly state: Uint8Array;
  readonly message: OutgoingMessage;
}

/** What a login keeps of a code that it sent: digests and a time, as long for a decoy code as for a real one. */
export interface LoginCodeState {
  readonly codeDigest: Uint8Array;
  readonly destinationDigest: Uint8Array;
  readonly expiresAtMs: number;
}

/** Draws a code. It works once the challenge that keeps it has been issued. */
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

/** Of a decoy it keeps the digest of nothing, which no code has. */
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

/** Reads the state of a {@link PreparedLoginCode}. */
export function decodeLoginCodeState(state: Uint8Array): LoginCodeState {
  const bytes = Buffer.from(state.buffer, state.byteOffset, state.byteLength);
  return {
    codeDigest: bytes.subarray(0, DIGEST_BYTES),
    destinationDigest: bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    expiresAtMs: Number(bytes.readBigUInt64BE(2 * DIGEST_BYTES)),
  };
}

/** What stands after the code in an encrypted state. */
export function readStateAfterLoginCode(state: Uint8Array): Uint8Array {
  return state.subarray(STATE_BYTES);
}

/** An answer to a code that was sent. */
export interface LoginCodeAnswer extends LoginCodeScope {
  readonly code: string;
  readonly nowMs: number;
}

/**
 * Why a code is not the one that was sent; undefined where it is. Only whoever has the right code learns that it is too old.
 */
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
 * Asks, inside the write that decides on a login, whether the code went to the contact that the user has now:
 * who changed it meanwhile has to prove the new one.
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

/** Keyed, because a million codes are soon tried. */
function digestLoginCode(ports: MacPorts, pool: PoolRecord, scope: LoginCodeScope, code: string): Uint8Array {
  return computePoolMac(ports, pool, 'login-code', JSON.stringify([scope.purpose, scope.username, code]));
}

function digestDestination(ports: MacPorts, pool: PoolRecord, destination: string): Uint8Array {
  return computePoolMac(ports, pool, 'login-code-destination', destination);
}

/** Cognito's answer to a wrong code in a login. */
export function wrongLoginCodeError(): ProviderError {
  return new ProviderError('CodeMismatchException', 'Invalid code or auth state for the user.');
}

function expiredLoginCodeError(): ProviderError {
  return new ProviderError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
}
