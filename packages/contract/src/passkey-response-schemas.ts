import { loginEnded } from './mfa-response-schemas.ts';
import type { Schema } from './schema.ts';
import { text, texts, time } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.9), at the top level of the response. */
export const creationOptions = {
  type: 'object',
  required: ['challenge', 'rp', 'user', 'pubKeyCredParams', 'timeout', 'excludeCredentials', 'authenticatorSelection'],
  properties: {
    challenge: { type: 'string', description: 'Base64url, for one registration.' },
    rp: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } },
    user: {
      type: 'object',
      required: ['id', 'name', 'displayName'],
      properties: { id: { type: 'string', description: 'Base64url.' }, name: text, displayName: text },
    },
    pubKeyCredParams: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'alg'],
        properties: { type: text, alg: { type: 'integer', description: '-7 (ES256) or -257 (RS256).' } },
      },
    },
    timeout: { type: 'integer', description: 'Milliseconds.' },
    excludeCredentials: {
      type: 'array',
      items: { type: 'object', required: ['type', 'id'], properties: { type: text, id: text } },
    },
    authenticatorSelection: {
      type: 'object',
      required: ['requireResidentKey', 'residentKey', 'userVerification'],
      properties: { requireResidentKey: { type: 'boolean' }, residentKey: text, userVerification: text },
    },
  },
} as const satisfies Schema;

/** A success response after a change to a user's passkeys. */
export const passkeyFlag = createSuccessSchema({
  is_webauthn_enabled: { type: 'boolean', description: 'Whether the user has a passkey now.' },
});

/** A success response after a passkey was removed. */
export const passkeyRemoval = createSuccessSchema(
  { is_webauthn_enabled: { type: 'boolean', description: 'Whether the user has a passkey left.' } },
  loginEnded,
);

/** A passkey in a response. */
export const passkey = {
  type: 'object',
  required: ['credential_id', 'name', 'relying_party_id', 'transports', 'attachment', 'created_at', 'last_used_at'],
  properties: {
    credential_id: { type: 'string', description: 'Base64url.' },
    name: { type: 'string', description: 'As the user named it, else as the provider did.' },
    relying_party_id: text,
    transports: texts,
    attachment: {
      anyOf: [text, { type: 'null' }],
      description: 'platform or cross-platform, or null if unknown.',
    },
    created_at: time,
    last_used_at: {
      anyOf: [text, { type: 'null' }],
      description: 'ISO 8601, UTC. Null before the first login with it, or if unknown.',
    },
  },
} as const satisfies Schema;

/** A success response with a passkey. */
export const passkeyAnswer = createSuccessSchema({ passkey });

/** All passkeys of a user. */
export const passkeyList = createSuccessSchema({ passkeys: { type: 'array', items: passkey } });
