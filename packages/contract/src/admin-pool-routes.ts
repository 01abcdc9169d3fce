import {
  domainAnswer,
  domainList,
  resourceServerAnswer,
  resourceServerList,
  signingKeyList,
  userPoolAnswer,
} from './admin-pool-schemas.ts';
import {
  cursor,
  domainName,
  pageLimit,
  resourceServerIdentifier,
  WITHOUT_CONTROL_CHARACTERS,
} from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const poolRouteDefaults = { aliases: [], mount: 'routes', guard: 'admin', limit: 'read', namesPool: true } as const;
const ofServer = {
  type: 'object',
  required: ['identifier'],
  properties: { identifier: resourceServerIdentifier },
} as const;

/** Cognito's `ResourceServerNameType`. */
const name = { type: 'string', minLength: 1, maxLength: 256, pattern: '^[\\w\\s+=,.@-]+$' } as const;
const scopes = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['scope_name', 'description'],
    additionalProperties: false,
    properties: {
      scope_name: {
        type: 'string',
        minLength: 1,
        maxLength: 256,
        pattern: '^[\\x21\\x23-\\x2E\\x30-\\x5B\\x5D-\\x7E]+$',
      },
      description: { type: 'string', minLength: 1, maxLength: 256, pattern: WITHOUT_CONTROL_CHARACTERS },
    },
  },
} as const;

/** Resource servers, domains and signing keys of the pool. */
export const adminPoolRoutes = defineRoutes({
  adminPoolGet: {
    ...poolRouteDefaults,
    method: 'GET',
    path: '/admin/pool',
    scope: 'pool:read',
    summary: 'Get the settings of the pool, and which of them this service does not support',
    responses: { 200: { description: 'The user pool.', schema: userPoolAnswer } },
    errors: [],
  },
  adminResourceServerList: {
    ...poolRouteDefaults,
    method: 'GET',
    path: '/admin/resource-servers',
    scope: 'pool:read',
    summary: 'List the resource servers',
    query: { type: 'object', properties: { limit: pageLimit, cursor } },
    responses: { 200: { description: 'A page of resource servers.', schema: resourceServerList } },
    errors: [],
  },
  adminResourceServerCreate: {
    ...poolRouteDefaults,
    method: 'POST',
    path: '/admin/resource-servers',
    scope: 'pool:write',
    idempotent: true,
    summary: 'Create a resource server, which is an API with scopes',
    body: {
      type: 'object',
      required: ['identifier', 'name'],
      additionalProperties: false,
      properties: { identifier: resourceServerIdentifier, name, scopes },
    },
    responses: { 201: { description: 'The resource server.', schema: resourceServerAnswer } },
    errors: ['invalid_parameter'],
  },
  adminResourceServerGet: {
    ...poolRouteDefaults,
    method: 'GET',
    path: '/admin/resource-servers/{identifier}',
    scope: 'pool:read',
    summary: 'Get a resource server',
    params: ofServer,
    responses: { 200: { description: 'The resource server.', schema: resourceServerAnswer } },
    errors: ['resource_server_not_found'],
  },
  adminResourceServerUpdate: {
    ...poolRouteDefaults,
    method: 'PATCH',
    path: '/admin/resource-servers/{identifier}',
    scope: 'pool:write',
    summary: 'Change the name or scopes of a resource server. The scopes replace the current ones',
    params: ofServer,
    body: { type: 'object', additionalProperties: false, properties: { name, scopes } },
    responses: { 200: { description: 'The resource server.', schema: resourceServerAnswer } },
    errors: ['resource_server_not_found', 'invalid_parameter'],
  },
  adminResourceServerDelete: {
    ...poolRouteDefaults,
    method: 'DELETE',
    path: '/admin/resource-servers/{identifier}',
    recentConsoleSignIn: true,
    scope: 'pool:write',
    summary: 'Delete a resource server and its scopes',
    params: ofServer,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The resource server was deleted.', schema: success } },
    errors: ['resource_server_not_found'],
  },
  adminDomainList: {
    ...poolRouteDefaults,
    method: 'GET',
    path: '/admin/domains',
    scope: 'pool:read',
    summary: 'List the domains of the pool',
    responses: { 200: { description: 'A prefix and a custom domain at most.', schema: domainList } },
    errors: [],
  },
  adminDomainCreate: {
    ...poolRouteDefaults,
    method: 'POST',
    path: '/admin/domains',
    scope: 'pool:write',
    idempotent: true,
    summary: 'Add a domain, which turns on the OAuth endpoints',
    body: {
      type: 'object',
      required: ['domain'],
      additionalProperties: false,
      properties: {
        domain: domainName,
        certificate_arn: {
          type: 'string',
          minLength: 20,
          maxLength: 2048,
          pattern: '^arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:[\\w+=/,.@-]*:\\d*:[\\w+=/,.@:-]+$',
          description:
            'For a custom domain at Amazon Cognito. The embedded pool needs none: your proxy has the certificate.',
        },
      },
    },
    responses: { 201: { description: 'The domain.', schema: domainAnswer } },
    errors: ['invalid_parameter'],
  },
  adminDomainDelete: {
    ...poolRouteDefaults,
    method: 'DELETE',
    path: '/admin/domains/{domain}',
    recentConsoleSignIn: true,
    scope: 'pool:write',
    summary: 'Remove a domain. Without one, the pool has no OAuth endpoints',
    params: { type: 'object', required: ['domain'], properties: { domain: domainName } },
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The domain was deleted.', schema: success } },
    errors: ['domain_not_found'],
  },
  adminSigningKeyList: {
    ...poolRouteDefaults,
    method: 'GET',
    path: '/admin/signing-keys',
    scope: 'pool:read',
    summary: 'List the published signing keys and which of them sign',
    responses: { 200: { description: 'The keys, oldest first.', schema: signingKeyList } },
    errors: ['feature_disabled'],
  },
  adminSigningKeyRotate: {
    ...poolRouteDefaults,
    method: 'POST',
    path: '/admin/signing-keys/rotate',
    recentConsoleSignIn: true,
    scope: 'pool:write',
    summary: 'Create new signing keys. The old ones stay published until their last token has expired',
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The keys, oldest first.', schema: signingKeyList } },
    errors: ['feature_disabled'],
  },
});
