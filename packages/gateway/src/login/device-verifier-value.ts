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

/** The finished claim, without any secret. */
const SIGNED_CLAIM = {
  type: 'object',
  required: ['DEVICE_KEY', 'PASSWORD_CLAIM_SECRET_BLOCK', 'TIMESTAMP', 'PASSWORD_CLAIM_SIGNATURE'],
  properties: {
    DEVICE_KEY: deviceKeySchema,
    PASSWORD_CLAIM_SECRET_BLOCK: base64Schema,
    TIMESTAMP: timestampSchema,
    PASSWORD_CLAIM_SIGNATURE: signatureSchema,
  },
  additionalProperties: false,
} as const satisfies Schema;

/** The four helper keys instead: the service signs. If the private value is the service's own, it is omitted. */
const ASSISTED_CLAIM = {
  type: 'object',
  required: [
    'DEVICE_KEY',
    'PASSWORD_CLAIM_SECRET_BLOCK',
    'TIMESTAMP',
    'PASSKEY_HASH',
    'MESSAGE_BASE64',
    'DEVICE_GROUP_KEY',
  ],
  properties: {
    DEVICE_KEY: deviceKeySchema,
    PASSWORD_CLAIM_SECRET_BLOCK: base64Schema,
    TIMESTAMP: timestampSchema,
    PASSKEY_HASH: hashSchema,
    MESSAGE_BASE64: base64Schema,
    PRIVATE_KEY: hexSchema,
    DEVICE_GROUP_KEY: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  },
  additionalProperties: false,
} as const satisfies Schema;

/** Other provider parameters are allowed, because the client returns what it received. */
const CHALLENGE_PARAMS = {
  type: 'object',
  required: ['SALT', 'SRP_B'],
  properties: { SALT: saltSchema, SRP_B: hexSchema },
} as const satisfies Schema;

/** What the service needs to sign for a device. */
interface AssistedDeviceClaim extends UnsignedClaim {
  readonly deviceGroupKey: string;
}

/** An answer to DEVICE_PASSWORD_VERIFIER. */
export interface DeviceVerifierValue {
  readonly deviceKey: string;
  readonly secretBlockB64: string;
  readonly claim: SignedClaim | AssistedDeviceClaim;
}

/**
 * Reads an answer to DEVICE_PASSWORD_VERIFIER: either the signature or the helper keys.
 * @throws {GatewayError} validation_failed
 */
export function readDeviceVerifierValue(value: ObjectOrJson, challengeParams: ObjectOrJson): DeviceVerifierValue {
  const object = parseObjectOrJson(CLAIM_FIELD, value);
  return hasMember(object, 'PASSWORD_CLAIM_SIGNATURE')
    ? readSigned(requireValidField(SIGNED_CLAIM, CLAIM_FIELD, object))
    : readAssisted(requireValidField(ASSISTED_CLAIM, CLAIM_FIELD, object), challengeParams);
}

function readSigned(value: Static<typeof SIGNED_CLAIM>): DeviceVerifierValue {
  return {
    deviceKey: value.DEVICE_KEY,
    secretBlockB64: readSecretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    claim: readSignedClaim(value),
  };
}

function readAssisted(value: Static<typeof ASSISTED_CLAIM>, challengeParams: ObjectOrJson): DeviceVerifierValue {
  const { SALT, SRP_B } = readObjectOrJson(CHALLENGE_PARAMS, 'challenge_params', challengeParams);
  return {
    deviceKey: value.DEVICE_KEY,
    secretBlockB64: readSecretBlock(value.PASSWORD_CLAIM_SECRET_BLOCK),
    claim: {
      kind: 'assisted',
      saltHex: SALT,
      srpBHex: readSrpB(SRP_B),
      deviceGroupKey: value.DEVICE_GROUP_KEY,
      passwordHash: parsePasswordHash(value.PASSKEY_HASH),
      privateKeyHex: value.PRIVATE_KEY,
      time: readClaimTime(value.TIMESTAMP),
      messageB64: value.MESSAGE_BASE64,
    },
  };
}
