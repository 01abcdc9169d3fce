import type { Schema } from '@poolgate/contract';
import { COGNITO_GROUP, fromBase64, parseIsoTimestamp, parsePublicValue, parseTimestamp } from '@poolgate/srp';
import { mapClientSrpErrors } from '../challenges/srp-fields.ts';
import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** The common parts of users' and devices' claims. */

export const hexSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 770,
  pattern: '^[0-9a-fA-F]+$',
} as const satisfies Schema;
export const saltSchema = { ...hexSchema, maxLength: 130 } as const satisfies Schema;
export const hashSchema = { ...hexSchema, minLength: 64, maxLength: 64 } as const satisfies Schema;
export const base64Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
} as const satisfies Schema;
export const signatureSchema = { ...base64Schema, maxLength: 64 } as const satisfies Schema;
export const timestampSchema = { type: 'string', minLength: 1, maxLength: 64 } as const satisfies Schema;
export const deviceKeySchema = {
  type: 'string',
  minLength: 1,
  maxLength: 55,
  pattern: '^[\\w-]+_[0-9a-f-]+$',
} as const satisfies Schema;

/** The member of every claim. */
export const CLAIM_FIELD = 'challenge_value';

/** A claim that the client signed. */
export interface SignedClaim {
  readonly kind: 'signed';
  readonly timestamp: string;
  readonly signatureB64: string;
}

/** What the service needs to sign for a client. */
export interface UnsignedClaim {
  readonly kind: 'assisted';
  readonly saltHex: string;
  readonly srpBHex: string;
  /** Equivalent to the password. */
  readonly passwordHash: Uint8Array;
  readonly privateKeyHex: string | undefined;
  /** As sent by the client, and in milliseconds; undefined if the service uses its own time. */
  readonly time: { readonly text: string; readonly ms: number } | undefined;
  readonly messageB64: string | undefined;
}

/** Whether a parsed value is an object with this member. */
export function hasMember(parsed: unknown, name: string): boolean {
  return Object.hasOwn(Object(parsed), name);
}

/** A signed claim contains the time that was signed, in Cognito's format. @throws {GatewayError} validation_failed */
export function readSignedClaim(claim: {
  readonly TIMESTAMP: string;
  readonly PASSWORD_CLAIM_SIGNATURE: string;
}): SignedClaim {
  mapClientSrpErrors(() => parseTimestamp(claim.TIMESTAMP), { TIMESTAMP: `${CLAIM_FIELD}.TIMESTAMP` });
  return { kind: 'signed', timestamp: claim.TIMESTAMP, signatureB64: claim.PASSWORD_CLAIM_SIGNATURE };
}

/** If the service signs, it accepts Cognito's format and ISO 8601, which the requirements show. @throws {GatewayError} */
export function readClaimTime(text: string): { readonly text: string; readonly ms: number } {
  const isIso = /^\d/.test(text);
  const ms = mapClientSrpErrors(() => (isIso ? parseIsoTimestamp(text) : parseTimestamp(text)), {
    TIMESTAMP: `${CLAIM_FIELD}.TIMESTAMP`,
  });
  return { text, ms };
}

/** B as the client returned it, unless it fixes the outcome. @throws {GatewayError} validation_failed */
export function readSrpB(srpBHex: string): string {
  mapClientSrpErrors(() => parsePublicValue(srpBHex, 'SRP_B', COGNITO_GROUP));
  return srpBHex;
}

/** Each byte sequence has one accepted text, so that the text can be looked up. @throws {GatewayError} */
export function readSecretBlock(text: string): string {
  mapClientSrpErrors(() => fromBase64(text, `${CLAIM_FIELD}.SECRET_BLOCK`));
  return text;
}

/** The private value does not belong to `SRP_A`. */
export function wrongPrivateKeyError(cause?: unknown): Error {
  return invalidFieldError(`${CLAIM_FIELD}.PRIVATE_KEY`, 'mismatch', 'does not match the SRP_A of this login', cause);
}

/** The private value is required but missing. */
export function missingPrivateKeyError(): Error {
  return invalidFieldError(`${CLAIM_FIELD}.PRIVATE_KEY`, 'required', 'is required unless the service generated SRP_A');
}

/** The message does not match its parts. */
export function wrongMessageError(): Error {
  return invalidFieldError(
    `${CLAIM_FIELD}.MESSAGE_BASE64`,
    'mismatch',
    'does not match the other parts of the response',
  );
}
