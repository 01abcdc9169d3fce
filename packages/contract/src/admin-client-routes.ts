import {
  clientAnswer,
  clientExtensions,
  clientList,
  clientMembers,
  createdClient,
  createdClientSecret,
} from './admin-client-schemas.ts';
import { clientId, clientSecretId, cursor, pageLimit } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const params = { type: 'object', required: ['client_id'], properties: { client_id: clientId } } as const;
const clientRouteDefaults = { aliases: [], mount: 'routes', guard: 'admin', limit: 'read', namesPool: true } as const;

/** App clients of the pool, and their secrets. */
export const adminClientRoutes = defineRoutes({
  adminClientList: {
    ...clientRouteDefaults,
    method: 'GET',
    path: '/admin/clients',
    scope: 'pool:read',
    summary: 'List the app clients, oldest first',
    query: { type: 'object', properties: { limit: pageLimit, cursor } },
    responses: { 200: { description: 'A page of app clients.', schema: clientList } },
    errors: [],
  },
  adminClientCreate: {
    ...clientRouteDefaults,
    method: 'POST',
    path: '/admin/clients',
    recentConsoleSignIn: true,
    scope: 'clients:write',
    idempotent: true,
    summary: 'Create an app client',
    body: {
      type: 'object',
      required: ['client_name'],
      // Rejects unknown members: a misspelled one would create a client with other rights than intended.
      additionalProperties: false,
      properties: {
        ...clientMembers,
        generate_secret: {
          type: 'boolean',
          description: 'Whether the client gets a secret. Left out: only a client for client_credentials does.',
        },
        extensions: clientExtensions,
      },
    },
    responses: { 201: { description: 'The client, and its secret if it has one.', schema: createdClient } },
    errors: ['invalid_parameter', 'feature_disabled'],
  },
  adminClientGet: {
    ...clientRouteDefaults,
    method: 'GET',
    path: '/admin/clients/{client_id}',
    scope: 'pool:read',
    summary: 'Get an app client without its secrets',
    params,
    responses: { 200: { description: 'The client.', schema: clientAnswer } },
    errors: ['client_not_found'],
  },
  adminClientUpdate: {
    ...clientRouteDefaults,
    method: 'PATCH',
    path: '/admin/clients/{client_id}',
    recentConsoleSignIn: true,
    scope: 'clients:write',
    summary: 'Change settings of an app client. A list replaces the current one',
    params,
    body: {
      type: 'object',
      additionalProperties: false,
      properties: { ...clientMembers, extensions: clientExtensions },
    },
    responses: { 200: { description: 'The client.', schema: clientAnswer } },
    errors: ['client_not_found', 'invalid_parameter', 'feature_disabled'],
  },
  adminClientDelete: {
    ...clientRouteDefaults,
    method: 'DELETE',
    path: '/admin/clients/{client_id}',
    recentConsoleSignIn: true,
    scope: 'clients:write',
    summary: 'Delete an app client',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The client is deleted.', schema: success } },
    errors: ['client_not_found', 'feature_disabled'],
  },
  adminClientSecretCreate: {
    ...clientRouteDefaults,
    method: 'POST',
    path: '/admin/clients/{client_id}/secrets',
    recentConsoleSignIn: true,
    scope: 'clients:write',
    idempotent: true,
    summary: 'Add a second secret to an app client. Both are valid',
    params,
    body: { type: 'object', properties: {} },
    responses: { 201: { description: 'The secret.', schema: createdClientSecret } },
    errors: ['client_not_found', 'invalid_parameter', 'feature_disabled'],
  },
  adminClientSecretDelete: {
    ...clientRouteDefaults,
    method: 'DELETE',
    path: '/admin/clients/{client_id}/secrets/{secret_id}',
    recentConsoleSignIn: true,
    scope: 'clients:write',
    summary: 'Delete one of the two secrets of an app client',
    params: {
      type: 'object',
      required: ['client_id', 'secret_id'],
      properties: { client_id: clientId, secret_id: clientSecretId },
    },
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The secret is no longer valid.', schema: success } },
    errors: ['client_not_found', 'client_secret_not_found', 'invalid_parameter', 'feature_disabled'],
  },
});
