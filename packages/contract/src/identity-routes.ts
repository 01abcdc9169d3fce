import { identityId } from './field-schemas.ts';
import { connectedIdentities } from './identity-response-schemas.ts';
import { otherSessionsEnded } from './mfa-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';

/** Routes for the accounts at other identity providers with which the access token's user can sign in. */
export const identityRoutes = defineRoutes({
  identityList: {
    method: 'GET',
    path: '/user/identities',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "List the caller's connected accounts, oldest first, and the providers to connect",
    responses: { 200: { description: 'The connected accounts.', schema: connectedIdentities } },
    errors: ['feature_disabled'],
  },
  identityRemove: {
    method: 'DELETE',
    path: '/user/identities/{id}',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    recentLogin: true,
    limit: 'login',
    summary: "Disconnect an account and end the caller's other sessions",
    params: { type: 'object', required: ['id'], properties: { id: identityId } },
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The account is disconnected.', schema: otherSessionsEnded } },
    errors: ['identity_not_found', 'last_way_in', 'feature_disabled'],
  },
});
