import type { Schema } from './schema.ts';
import { nextCursor, nullableTime, stringMap, text, texts } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

const detailValue = { type: 'string', maxLength: 4096 } as const satisfies Schema;
const claimName = { type: 'string', minLength: 1, maxLength: 256 } as const satisfies Schema;

/** The settings of a provider that a request may set. */
export const providerMembers = {
  details: {
    type: 'object',
    additionalProperties: { anyOf: [detailValue, { type: 'null' }] },
    maxProperties: 20,
    description:
      'As ProviderDetails of Cognito, without the secret. A change keeps those that it leaves out; null removes one.',
  },
  secret: {
    anyOf: [{ type: 'string', minLength: 1, maxLength: 4096 }, { type: 'null' }],
    description:
      'client_secret, or the private_key for Apple. Stored encrypted and never returned. null: a public client.',
  },
  attribute_mapping: {
    type: 'object',
    additionalProperties: claimName,
    maxProperties: 60,
    description: 'Claims by the attribute that they are copied to. Default: email and email_verified.',
  },
  identifiers: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 40, pattern: '^[\\w\\s+=.@-]+$' },
    maxItems: 50,
    description: 'Other names of the provider, such as email domains. A list replaces the current one.',
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** A rule that links accounts to users of the pool. Cognito has none. */
const linkRule = {
  type: 'object',
  required: ['attribute', 'claim'],
  additionalProperties: false,
  properties: {
    attribute: { type: 'string', enum: ['email', 'phone_number'] },
    claim: {
      ...claimName,
      description: 'The claim that must be true: it says that the provider has verified the address.',
    },
  },
  description: 'Links an account that signs in for the first time to the local user with the same verified address.',
} as const satisfies Schema;

/** Settings that Cognito does not have. */
export const providerExtensions = {
  type: 'object',
  additionalProperties: false,
  properties: { link_rule: { anyOf: [linkRule, { type: 'null' }] } },
  description: 'Settings that Cognito does not have. null restores a default.',
} as const satisfies Schema;

/** An identity provider in a list. */
export const listedIdentityProvider = {
  type: 'object',
  required: ['name', 'type'],
  properties: { name: text, type: text },
} as const satisfies Schema;

/** An identity provider, without its secret. */
export const identityProvider = {
  type: 'object',
  required: ['name', 'type', 'details', 'attribute_mapping', 'identifiers', 'extensions', 'created_at', 'updated_at'],
  properties: {
    name: text,
    type: text,
    details: {
      type: 'object',
      additionalProperties: text,
      description: 'Includes the defaults of its kind, but never a secret.',
    },
    attribute_mapping: stringMap,
    identifiers: texts,
    extensions: { ...providerExtensions, description: 'Settings that Cognito lacks, if set.' },
    created_at: nullableTime,
    updated_at: nullableTime,
  },
} as const satisfies Schema;

/** A success response with an identity provider. */
export const identityProviderAnswer = createSuccessSchema({ identity_provider: identityProvider });

/** A page of identity providers. */
export const identityProviderList = createSuccessSchema({
  identity_providers: { type: 'array', items: listedIdentityProvider },
  next_cursor: nextCursor,
});
