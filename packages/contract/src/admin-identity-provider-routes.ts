import {
  identityProviderAnswer,
  identityProviderList,
  providerExtensions,
  providerMembers,
} from './admin-identity-provider-schemas.ts';
import { cursor, identityProviderName, identityProviderType, pageLimit } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const params = {
  type: 'object',
  required: ['provider_name'],
  properties: { provider_name: identityProviderName },
} as const;
const routeDefaults = { aliases: [], mount: 'routes', guard: 'admin', limit: 'read', namesPool: true } as const;

/** Other identity providers that users of the pool can sign in with. */
export const adminIdentityProviderRoutes = defineRoutes({
  adminIdentityProviderList: {
    ...routeDefaults,
    method: 'GET',
    path: '/admin/identity-providers',
    scope: 'pool:read',
    summary: 'List the identity providers, sorted by name',
    query: { type: 'object', properties: { limit: pageLimit, cursor } },
    responses: { 200: { description: 'A page of identity providers.', schema: identityProviderList } },
    errors: [],
  },
  adminIdentityProviderCreate: {
    ...routeDefaults,
    method: 'POST',
    path: '/admin/identity-providers',
    recentConsoleSignIn: true,
    scope: 'pool:write',
    idempotent: true,
    summary: 'Add an identity provider',
    body: {
      type: 'object',
      required: ['name', 'type', 'details'],
      // Rejects unknown members: a misspelled one would create a provider with other settings than intended.
      additionalProperties: false,
      properties: {
        name: identityProviderName,
        type: identityProviderType,
        ...providerMembers,
        extensions: providerExtensions,
      },
    },
    responses: { 201: { description: 'The identity provider.', schema: identityProviderAnswer } },
    errors: ['invalid_parameter', 'feature_disabled'],
  },
  adminIdentityProviderGet: {
    ...routeDefaults,
    method: 'GET',
    path: '/admin/identity-providers/{provider_name}',
    scope: 'pool:read',
    summary: 'Get an identity provider without its secret',
    params,
    responses: { 200: { description: 'The identity provider.', schema: identityProviderAnswer } },
    errors: ['identity_provider_not_found'],
  },
  adminIdentityProviderUpdate: {
    ...routeDefaults,
    method: 'PATCH',
    path: '/admin/identity-providers/{provider_name}',
    recentConsoleSignIn: true,
    scope: 'pool:write',
    summary: 'Change settings of an identity provider, or replace its secret',
    params,
    body: {
      type: 'object',
      additionalProperties: false,
      properties: { ...providerMembers, extensions: providerExtensions },
    },
    responses: { 200: { description: 'The identity provider.', schema: identityProviderAnswer } },
    errors: ['identity_provider_not_found', 'invalid_parameter', 'feature_disabled'],
  },
  adminIdentityProviderDelete: {
    ...routeDefaults,
    method: 'DELETE',
    path: '/admin/identity-providers/{provider_name}',
    recentConsoleSignIn: true,
    scope: 'pool:write',
    summary: 'Delete an identity provider. Its users can no longer sign in with it',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The identity provider is deleted.', schema: success } },
    errors: ['identity_provider_not_found'],
  },
});
