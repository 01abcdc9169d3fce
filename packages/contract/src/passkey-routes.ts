import { createdCredential, credentialId } from './credential-schemas.ts';
import { endOtherSessions, token, WITHOUT_CONTROL_CHARACTERS } from './field-schemas.ts';
import {
  creationOptions,
  passkeyAnswer,
  passkeyFlag,
  passkeyList,
  passkeyRemoval,
} from './passkey-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';

const accessToken = { ...token, description: 'The access token, for clients that send it here.' } as const;

const passkeyName = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: WITHOUT_CONTROL_CHARACTERS,
  description: 'A name that tells the passkey to its user.',
} as const;

/** Routes for the passkeys of the access token's user. */
export const passkeyRoutes = defineRoutes({
  passkeyStart: {
    method: 'POST',
    path: '/passkey/start',
    aliases: [
      { method: 'GET', path: '/passkey/start' },
      { method: 'POST', path: '/user/passkey/start' },
      { method: 'GET', path: '/user/passkey/start' },
    ],
    mount: 'routes',
    guard: 'user',
    tokenInBody: true,
    recentLogin: true,
    limit: 'read',
    summary: 'Start a passkey registration and void the previous one',
    body: { type: 'object', properties: { access_token: accessToken } },
    responses: { 200: { description: 'The options to create it with.', schema: creationOptions } },
    errors: ['feature_disabled'],
  },
  passkeyComplete: {
    method: 'POST',
    path: '/passkey/complete',
    aliases: [{ method: 'POST', path: '/user/passkey/complete' }],
    mount: 'routes',
    guard: 'user',
    tokenInBody: true,
    recentLogin: true,
    limit: 'login',
    summary: 'Register the new passkey',
    body: {
      type: 'object',
      required: ['credential'],
      properties: {
        access_token: accessToken,
        credential: {
          anyOf: [{ type: 'string', minLength: 2, maxLength: 49_152 }, createdCredential],
          description: 'What the browser created, as an object or its JSON text.',
        },
      },
    },
    responses: { 200: { description: 'The passkey is registered.', schema: passkeyFlag } },
    errors: ['invalid_credential', 'feature_disabled'],
  },
  passkeyDelete: {
    method: 'DELETE',
    path: '/passkey/delete',
    aliases: [{ method: 'DELETE', path: '/user/passkey' }],
    mount: 'routes',
    guard: 'user',
    tokenInBody: true,
    recentLogin: true,
    limit: 'read',
    summary: 'Remove a passkey. The client then signals it as unknown',
    body: {
      type: 'object',
      required: ['credential_id'],
      properties: {
        access_token: accessToken,
        credential_id: credentialId,
        end_other_sessions: endOtherSessions,
      },
    },
    responses: { 200: { description: 'The passkey is removed.', schema: passkeyRemoval } },
    errors: ['passkey_not_found', 'feature_disabled'],
  },
  passkeyList: {
    method: 'GET',
    path: '/passkey',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "List the caller's passkeys",
    responses: { 200: { description: 'All of them.', schema: passkeyList } },
    errors: ['feature_disabled'],
  },
  passkeyRename: {
    method: 'PATCH',
    path: '/passkey/{credential_id}',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'Rename a passkey',
    params: { type: 'object', required: ['credential_id'], properties: { credential_id: credentialId } },
    body: { type: 'object', required: ['name'], properties: { name: passkeyName } },
    responses: { 200: { description: 'The passkey with its new name.', schema: passkeyAnswer } },
    errors: ['passkey_not_found', 'feature_disabled'],
  },
});
