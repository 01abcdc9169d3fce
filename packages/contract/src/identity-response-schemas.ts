import type { Schema } from './schema.ts';
import { text, time } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

/** An account at another identity provider with which a user can sign in. */
export const connectedIdentity = {
  type: 'object',
  required: ['id', 'provider', 'type', 'connected_at', 'primary'],
  properties: {
    id: text,
    provider: text,
    type: text,
    connected_at: time,
    primary: {
      type: 'boolean',
      description: 'True: the user was created from this account, which cannot be disconnected.',
    },
  },
} as const satisfies Schema;

/** A provider to connect. */
export const offeredProvider = {
  type: 'object',
  required: ['name', 'type'],
  properties: { name: text, type: text },
} as const satisfies Schema;

/** The accounts with which a user can sign in, and the providers of which accounts can be connected. */
export const connectedIdentities = createSuccessSchema({
  identities: { type: 'array', items: connectedIdentity },
  providers: { type: 'array', items: offeredProvider },
});
