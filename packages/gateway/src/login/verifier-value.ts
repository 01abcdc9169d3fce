import type { Schema, Static } from '@poolgate/contract';
import {
  COGNITO_GROUP,
  fromBase64,
  parseIsoTimestamp,
  parsePasswordHash,
  parsePublicValue,
  parseTimestamp,
} from '@poolgate/srp';
import { invalidField } from '../errors.ts';
import { onClientValues } from './srp-fields.ts';
import { parseStringified, readStringified, type Stringified } from './stringified.ts';

const hex = { type: 'string', minLength: 1, maxLength: 770, pattern: '^[0-9a-fA-F]+$' } as const satisfies Schema;
const salt = { type: 'string', minLength: 1, maxLength: 130, pattern: '^[0-9a-fA-F]+$' } as const satisfies Schema;
const base64 = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
} as const satisfies Schema;
const hash = { type: 'string', minLength: 64, maxLength: 64, pattern: '^[0-9a-fA-F]+$' } as const satisfies Schema;
const userId = { type: 'string', minLength: 1, maxLength: 128 } as const satisfies Schema;
const timestamp = { type: 'string', minLength: 1, maxLength: 64 } as const satisfies Schema;
const deviceKey = {
  type: 'string',
  minLength: 1,
  maxLength: 55,
  pattern: '^[\\w-]+_[0-9a-f-]+$',
} as const satisfies Schema;

/** (a) The five keys: the service signs, with the private value in `session`, or its own. */
const FIVE_KEYS = {
  type: 'object',
  required: ['SALT', 'SECRET_BLOCK', 'SRP_B', 'USER_ID_FOR_SRP', 'PASSKEY_HASH'],
  properties: {
    SALT: salt,
    SECRET_BLOCK: base64,
    SRP_B: hex,
    USER_ID_FOR_SRP: userId,
    PASSKEY_HASH: hash,
    DEVICE_KEY: deviceKey,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** (b) The claim without its signature: the service signs, with the rest of the challenge in `challenge_params`. */
const UNSIGNED_CLAIM = {
  type: 'object',
  required: ['PASSWORD_CLAIM_SECRET_BLOCK', 'TIMESTAMP', 'PASSKEY_HASH'],
  properties: {
    PASSWORD_CLAIM_SECRET_BLOCK: base64,
    TIMESTAMP: timestamp,
    PASSKEY_HASH: hash,
    PRIVATE_KEY: hex,
    MESSAGE_BASE64: base64,
    DEVICE_KEY: deviceKey,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** (c) The finished claim: nothing secret reaches the service. */
const SIGNED_CLAIM = {
  type: 'object',
  required: ['PASSWORD_CLAIM_SECRET_BLOCK', 'TIMESTAMP', 'PASSWORD_CLAIM_SIGNATURE'],
  properties: {
    PASSWORD_CLAIM_SECRET_BLOCK: base64,
    TIMESTAMP: timestamp,
    PASSWORD_CLAIM_SIGNATURE: { ...base64, maxLength: 64 },
    DEVICE_KEY: deviceKey,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** Provider parameters of any name may stand beside these: the client sends back what it got. */
const CHALLENGE_PARAMS = {
  type: 'object',
  required: ['SALT', 'SRP_B', 'USER_ID_FOR_SRP'],
  properties: { SALT: salt, SRP_B: hex, USER_ID_FOR_SRP: userId },
} as const satisfies Schema;

/** A claim that the client signed. */
export interface SignedClaim {
  readonly kind: 'signed';
  readonly timestamp: string;
  readonly signatureB64: string;
}

/** What the service needs to sign in the client's place. */
export interface AssistedClaim {
  readonly kind: 'assisted';
  readonly saltHex: string;
  readonly srpBHex: string;
  readonly userIdForSrp: string;
  /** As good as the password. */
  readonly passwordHash: Uint8Array;
  readonly privateKeyHex: string | undefined;
  /** As the client wrote it and in milliseconds; undefined where the service takes its own time. */
  readonly time: { readonly text: string; readonly ms: number } | undefined;
  readonly messageB64: string | undefined;
}

/** An answer to PASSWORD_VERIFIER. */
export interface VerifierValue {
  readonly secretBlockB64: string;
  readonly deviceKey: string | undefined;
  readonly claim: SignedClaim | AssistedClaim;
}

const FIELD = 'challenge_value';

/**
 * Reads an answer to PASSWORD_VERIFIER in any of its three forms. A signature beside helper keys, and neither of them,
 * fit no form.
 * @throws {GatewayError} validation_failed
 */
export function readVerifierValue(value: Stringified, challengeParams: Stringified): VerifierValue {
  const object = parseStringified(FIELD, value);
  if (hasMember(object, 'PASSWORD_CLAIM_SIGNATURE')) return readSigned(readStringified(SIGNED_CLAIM, FIELD, value));
  if (hasMember(object, 'SECRET_BLOCK')) return readFiveKeys(readStringified(FIVE_KEYS, FIELD, value));
  return readUnsigned(readStringified(UNSIGNED_CLAIM, FIELD, value), challengeParams);
}

function hasMember(object: unknown, name: string): boolean {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name);
}

function readSigned(value: Static<typeof SIGNED_CLAIM>): VerifierValue {
  onClientValues(() => parseTimestamp(value.TIMESTAMP), { TIMESTAMP: `${FIELD}.TIMESTAMP` });
  return {
    secretBlockB64: secretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: { kind: 'signed', timestamp: value.TIMESTAMP, signatureB64: value.PASSWORD_CLAIM_SIGNATURE },
  };
}

function readFiveKeys(value: Static<typeof FIVE_KEYS>): VerifierValue {
  return {
    secretBlockB64: secretBlock(value.SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: {
      ...challengeParts(value),
      kind: 'assisted',
      passwordHash: parsePasswordHash(value.PASSKEY_HASH),
      privateKeyHex: undefined,
      time: undefined,
      messageB64: undefined,
    },
  };
}

function readUnsigned(value: Static<typeof UNSIGNED_CLAIM>, challengeParams: Stringified): VerifierValue {
  return {
    secretBlockB64: secretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: {
      ...challengeParts(readStringified(CHALLENGE_PARAMS, 'challenge_params', challengeParams)),
      kind: 'assisted',
      passwordHash: parsePasswordHash(value.PASSKEY_HASH),
      privateKeyHex: value.PRIVATE_KEY,
      time: readTime(value.TIMESTAMP),
      messageB64: value.MESSAGE_BASE64,
    },
  };
}

function challengeParts(parts: Static<typeof CHALLENGE_PARAMS>) {
  onClientValues(() => parsePublicValue(parts.SRP_B, 'SRP_B', COGNITO_GROUP));
  return { saltHex: parts.SALT, srpBHex: parts.SRP_B, userIdForSrp: parts.USER_ID_FOR_SRP };
}

/** Where the service signs, both forms are good: Cognito's and ISO 8601, which the law shows. */
function readTime(text: string): { readonly text: string; readonly ms: number } {
  const isIso = /^\d/.test(text);
  const ms = onClientValues(() => (isIso ? parseIsoTimestamp(text) : parseTimestamp(text)), {
    TIMESTAMP: `${FIELD}.TIMESTAMP`,
  });
  return { text, ms };
}

/** One sequence of bytes has one accepted text, so that the text can be looked up. */
function secretBlock(text: string): string {
  onClientValues(() => fromBase64(text, `${FIELD}.SECRET_BLOCK`));
  return text;
}

/** The field of a private value that is not the one behind `SRP_A`. @throws never; makes the error */
export function wrongPrivateKey(cause?: unknown): Error {
  return invalidField(`${FIELD}.PRIVATE_KEY`, 'mismatch', 'does not belong to the srp_a of this login', cause);
}

/** The field of a private value that is needed and missing. */
export function missingPrivateKey(): Error {
  return invalidField(`${FIELD}.PRIVATE_KEY`, 'required', 'is required where the service did not make srp_a');
}

/** The field of a message that is not made of the parts. */
export function wrongMessage(): Error {
  return invalidField(`${FIELD}.MESSAGE_BASE64`, 'mismatch', 'is not the message of the other parts');
}
