import { adminKeyList, createdAdminKey } from './admin-key-schemas.ts';
import { adminKeyId, WITHOUT_CONTROL_CHARACTERS } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const keyRouteDefaults = { aliases: [], mount: 'routes', guard: 'admin', scope: 'keys:write', limit: 'read' } as const;

/** Routes that manage admin keys. A key manages only keys that have none but its own scopes. */
export const adminKeyRoutes = defineRoutes({
  adminKeyList: {
    ...keyRouteDefaults,
    method: 'GET',
    path: '/admin/keys',
    summary: 'List the stored admin keys without their secrets, oldest first',
    responses: { 200: { description: 'The keys.', schema: adminKeyList } },
    errors: [],
  },
  adminKeyCreate: {
    ...keyRouteDefaults,
    method: 'POST',
    path: '/admin/keys',
    recentConsoleSignIn: true,
    idempotent: true,
    summary: 'Create an admin key. It can only have scopes of the key that creates it',
    body: {
      type: 'object',
      required: ['label', 'scopes'],
      // Rejects unknown members: a misspelled `days` would create a key that lives longer than intended.
      additionalProperties: false,
      properties: {
        label: {
          type: 'string',
          minLength: 1,
          maxLength: 128,
          pattern: WITHOUT_CONTROL_CHARACTERS,
          description: 'Who or what uses the key.',
        },
        scopes: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 64 },
          minItems: 1,
          maxItems: 64,
          description: 'What the key may do.',
        },
        days: {
          type: 'integer',
          description:
            'How long the key is valid, 1 to 3650 days. Default: 365. It expires no later than the key that creates it.',
        },
      },
    },
    responses: { 201: { description: 'The key, and its secret this once.', schema: createdAdminKey } },
    errors: [],
  },
  adminKeyRevoke: {
    ...keyRouteDefaults,
    method: 'DELETE',
    path: '/admin/keys/{key_id}',
    recentConsoleSignIn: true,
    summary:
      'Revoke an admin key at once, and the keys that it created. It can only have scopes of the key that revokes it',
    params: { type: 'object', required: ['key_id'], properties: { key_id: adminKeyId } },
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The key was revoked.', schema: success } },
    errors: ['admin_key_not_found'],
  },
});
