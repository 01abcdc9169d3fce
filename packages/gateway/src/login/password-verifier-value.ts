import type { Schema, Static } from '@poolgate/contract';
import { parsePasswordHash } from '@poolgate/srp';
import { type ObjectOrJson, parseObjectOrJson, readObjectOrJson, requireValidField } from '../kernel/object-or-json.ts';
import {
  base64Schema,
  CLAIM_FIELD,
  deviceKeySchema,
  hashSchema,
  hasMember,
  hexSchema,
  readClaimTime,
  readSecretBlock,
  readSignedClaim,
  readSrpB,
  type SignedClaim,
  saltSchema,
  signatureSchema,
  timestampSchema,
  type UnsignedClaim,
} from './claim-fields.ts';

const userId = { type: 'string', minLength: 1, maxLength: 128 } as const satisfies Schema;

/** (a) The five keys: the service signs, with the private value in `session` or its own. */
const FIVE_KEYS = {
  type: 'object',
  required: ['SALT', 'SECRET_BLOCK', 'SRP_B', 'USER_ID_FOR_SRP', 'PASSKEY_HASH'],
  properties: {
    SALT: saltSchema,
    SECRET_BLOCK: base64Schema,
    SRP_B: hexSchema,
    USER_ID_FOR_SRP: userId,
    PASSKEY_HASH: hashSchema,
    DEVICE_KEY: deviceKeySchema,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** (b) The claim without its signature: the service signs, with the rest of the challenge in `challenge_params`. */
const UNSIGNED_CLAIM = {
  type: 'object',
  required: ['PASSWORD_CLAIM_SECRET_BLOCK', 'TIMESTAMP', 'PASSKEY_HASH'],
  properties: {
    PASSWORD_CLAIM_SECRET_BLOCK: base64Schema,
    TIMESTAMP: timestampSchema,
    PASSKEY_HASH: hashSchema,
    PRIVATE_KEY: hexSchema,
    MESSAGE_BASE64: base64Schema,
    DEVICE_KEY: deviceKeySchema,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** (c) The finished claim, without any secret. */
const SIGNED_CLAIM = {
  type: 'object',
  required: ['PASSWORD_CLAIM_SECRET_BLOCK', 'TIMESTAMP', 'PASSWORD_CLAIM_SIGNATURE'],
  properties: {
    PASSWORD_CLAIM_SECRET_BLOCK: base64Schema,
    TIMESTAMP: timestampSchema,
    PASSWORD_CLAIM_SIGNATURE: signatureSchema,
    DEVICE_KEY: deviceKeySchema,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** Other provider parameters are allowed, because the client returns what it received. */
const CHALLENGE_PARAMS = {
  type: 'object',
  required: ['SALT', 'SRP_B', 'USER_ID_FOR_SRP'],
  properties: { SALT: saltSchema, SRP_B: hexSchema, USER_ID_FOR_SRP: userId },
} as const satisfies Schema;

/** What the service needs to sign for a user. */
export interface AssistedClaim extends UnsignedClaim {
  readonly userIdForSrp: string;
}

/** An answer to PASSWORD_VERIFIER. */
export interface PasswordVerifierValue {
  readonly secretBlockB64: string;
  readonly deviceKey: string | undefined;
  readonly claim: SignedClaim | AssistedClaim;
}

/**
 * Reads an answer to PASSWORD_VERIFIER in any of its three forms. A signature together with helper keys fits no form, and neither does an
 * answer without both.
 * @throws {GatewayError} validation_failed
 */
export function readPasswordVerifierValue(value: ObjectOrJson, challengeParams: ObjectOrJson): PasswordVerifierValue {
  const object = parseObjectOrJson(CLAIM_FIELD, value);
  if (hasMember(object, 'PASSWORD_CLAIM_SIGNATURE'))
    return readSigned(requireValidField(SIGNED_CLAIM, CLAIM_FIELD, object));
  if (hasMember(object, 'SECRET_BLOCK')) return readFiveKeys(requireValidField(FIVE_KEYS, CLAIM_FIELD, object));
  return readUnsigned(requireValidField(UNSIGNED_CLAIM, CLAIM_FIELD, object), challengeParams);
}

function readSigned(value: Static<typeof SIGNED_CLAIM>): PasswordVerifierValue {
  return {
    secretBlockB64: readSecretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: readSignedClaim(value),
  };
}

function readFiveKeys(value: Static<typeof FIVE_KEYS>): PasswordVerifierValue {
  return {
    secretBlockB64: readSecretBlock(value.SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: {
      ...readChallengeParts(value),
      kind: 'assisted',
      passwordHash: parsePasswordHash(value.PASSKEY_HASH),
      privateKeyHex: undefined,
      time: undefined,
      messageB64: undefined,
    },
  };
}

function readUnsigned(value: Static<typeof UNSIGNED_CLAIM>, challengeParams: ObjectOrJson): PasswordVerifierValue {
  return {
    secretBlockB64: readSecretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: {
      ...readChallengeParts(readObjectOrJson(CHALLENGE_PARAMS, 'challenge_params', challengeParams)),
      kind: 'assisted',
      passwordHash: parsePasswordHash(value.PASSKEY_HASH),
      privateKeyHex: value.PRIVATE_KEY,
      time: readClaimTime(value.TIMESTAMP),
      messageB64: value.MESSAGE_BASE64,
    },
  };
}

function readChallengeParts(parts: Static<typeof CHALLENGE_PARAMS>) {
  return { saltHex: parts.SALT, srpBHex: readSrpB(parts.SRP_B), userIdForSrp: parts.USER_ID_FOR_SRP };
}
