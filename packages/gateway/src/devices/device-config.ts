import { checkSchema, type Schema, type Static } from '@poolgate/contract';
import { type DeviceSecretVerifierConfig, parseDeviceConfig } from '@poolgate/srp';
import { mapClientSrpErrors } from '../challenges/srp-fields.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';
import { JsonError, parseJson } from '../kernel/json.ts';

const FIELD = 'device_config';
const MEMBER = 'DeviceSecretVerifierConfig';

/** Longer than any valid value. SRP checks the length in bytes. */
const base64 = { type: 'string', minLength: 1, maxLength: 1024 } as const satisfies Schema;

const CONFIG = {
  type: 'object',
  required: [MEMBER],
  properties: {
    [MEMBER]: {
      type: 'object',
      required: ['Salt', 'PasswordVerifier'],
      properties: { Salt: base64, PasswordVerifier: base64 },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const satisfies Schema;

/**
 * Parses the JSON text of a device's verifier: exactly these members, each once, and a usable verifier. A weak one is detected here and not
 * only at the next login.
 * @throws {GatewayError} validation_failed
 */
export function readDeviceConfig(text: string): DeviceSecretVerifierConfig {
  const value = parseConfigText(text);
  const errors = checkSchema(CONFIG, value, FIELD);
  if (errors.length > 0) throw new GatewayError('validation_failed', 'The request is invalid.', { errors });
  const config = (value as Static<typeof CONFIG>)[MEMBER];
  mapClientSrpErrors(() => parseDeviceConfig(config), {
    Salt: `${FIELD}.${MEMBER}.Salt`,
    PasswordVerifier: `${FIELD}.${MEMBER}.PasswordVerifier`,
  });
  return config;
}

function parseConfigText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalidFieldError(FIELD, 'format', 'must be the JSON text of an object without duplicate members', error);
  }
}
