import type { Schema, Static } from '@poolgate/contract';
import { parsePasswordHash } from '@poolgate/srp';
import { checkParsed, type ObjectOrJson, parseObjectOrJson, readObjectOrJson } from '../object-or-json.ts';
import {
  base64,
  CLAIM_FIELD,
  deviceKey,
  hash,
  hasMember,
  hex,
  readSecretBlock,
  readSignedClaim,
  readSrpB,
  readTime,
  type SignedClaim,
  salt,
  signature,
  timestamp,
  type UnsignedClaim,
} from './claim-fields.ts';

const userId = { type: 'string', minLength: 1, maxLength: 128 } as const satisfies Schema;

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
    PASSWORD_CLAIM_SIGNATURE: signature,
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

/** What the service needs to sign in a user's place. */
export interface AssistedClaim extends UnsignedClaim {
  readonly userIdForSrp: string;
}

/** An answer to PASSWORD_VERIFIER. */
export interface VerifierValue {
  readonly secretBlockB64: string;
  readonly deviceKey: string | undefined;
  readonly claim: SignedClaim | AssistedClaim;
}

/**
 * Reads an answer to PASSWORD_VERIFIER in any of its three forms. A signature beside helper keys, and neither of them,
 * fit no form.
 * @throws {GatewayError} validation_failed
 */
export function readVerifierValue(value: ObjectOrJson, challengeParams: ObjectOrJson): VerifierValue {
  const object = parseObjectOrJson(CLAIM_FIELD, value);
  if (hasMember(object, 'PASSWORD_CLAIM_SIGNATURE')) return readSigned(checkParsed(SIGNED_CLAIM, CLAIM_FIELD, object));
  if (hasMember(object, 'SECRET_BLOCK')) return readFiveKeys(checkParsed(FIVE_KEYS, CLAIM_FIELD, object));
  return readUnsigned(checkParsed(UNSIGNED_CLAIM, CLAIM_FIELD, object), challengeParams);
}

function readSigned(value: Static<typeof SIGNED_CLAIM>): VerifierValue {
  return {
    secretBlockB64: readSecretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: readSignedClaim(value),
  };
}

function readFiveKeys(value: Static<typeof FIVE_KEYS>): VerifierValue {
  return {
    secretBlockB64: readSecretBlock(value.SECRET_BLOCK),
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

function readUnsigned(value: Static<typeof UNSIGNED_CLAIM>, challengeParams: ObjectOrJson): VerifierValue {
  return {
    secretBlockB64: readSecretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    deviceKey: value.DEVICE_KEY,
    claim: {
      ...challengeParts(readObjectOrJson(CHALLENGE_PARAMS, 'challenge_params', challengeParams)),
      kind: 'assisted',
      passwordHash: parsePasswordHash(value.PASSKEY_HASH),
      privateKeyHex: value.PRIVATE_KEY,
      time: readTime(value.TIMESTAMP),
      messageB64: value.MESSAGE_BASE64,
    },
  };
}

function challengeParts(parts: Static<typeof CHALLENGE_PARAMS>) {
  return { saltHex: parts.SALT, srpBHex: readSrpB(parts.SRP_B), userIdForSrp: parts.USER_ID_FOR_SRP };
}
