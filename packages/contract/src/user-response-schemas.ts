import type { Schema } from './schema.ts';
import { nullableText, stringMap, text, texts, time } from './schema-parts.ts';
import { createSuccessSchema, SUCCESS_REQUIRED, successFields } from './success-schema.ts';

/** The second factors of a user. */
export const mfa = {
  type: 'object',
  required: ['enabled', 'preferred', 'methods'],
  properties: { enabled: { type: 'boolean' }, preferred: nullableText, methods: texts },
} as const satisfies Schema;

/** A user in a response. */
export const user = {
  type: 'object',
  required: [
    'username',
    'sub',
    'email',
    'email_verified',
    'attributes',
    'mfa',
    'is_webauthn_enabled',
    'password_reset_required',
  ],
  properties: {
    username: text,
    sub: text,
    email: nullableText,
    email_verified: { type: 'boolean' },
    phone_number: text,
    status: text,
    enabled: { type: 'boolean' },
    attributes: stringMap,
    groups: texts,
    mfa,
    is_webauthn_enabled: { type: 'boolean' },
    password_reset_required: { type: 'boolean' },
    created_at: time,
    updated_at: time,
  },
} as const satisfies Schema;

/** A success response with a user. */
export const userAnswer = createSuccessSchema({ user });

/** The masked destination of a code. */
export const delivery = {
  type: 'object',
  required: ['attribute', 'medium', 'destination'],
  properties: {
    attribute: text,
    medium: text,
    destination: { type: 'string', description: 'Masked.' },
  },
} as const satisfies Schema;

/** A success response with a user and the destinations of codes. */
export const updatedUser = createSuccessSchema({
  user,
  code_delivery: {
    type: 'array',
    items: delivery,
    description: 'Contacts that must be verified. The old values stay until then.',
  },
});

/** A success response with the destination of a code. */
export const codeDelivery = createSuccessSchema({ code_delivery: { type: 'array', items: delivery } });

/** A newly created user. */
export const createdUser = createSuccessSchema(
  { user },
  { temp_password: { type: 'string', description: 'Only if the service created it. Shown only once.' } },
);

/** A password reset that an administrator required. */
export const resetRequired = {
  type: 'object',
  required: [...SUCCESS_REQUIRED],
  properties: {
    ...successFields,
    data: {
      type: 'object',
      required: ['code_sent'],
      properties: {
        code_sent: {
          type: 'boolean',
          description:
            'False: the user has no proven contact, or was sent too many codes. Give the user an address and reset again, or set another password.',
        },
      },
    },
  },
} as const satisfies Schema;
