import assert from 'node:assert/strict';
import { listAddresses, ROUTES, type Route } from '@poolgate/contract';
import { createRememberedDevice } from '../routes/route-devices.ts';
import { addUser, type TestService } from '../services/test-service.ts';
import { createBearerHeader } from './exchange.ts';

/** The resources of admin requests: all of them exist, except the fresh name. */
export interface AdminFixtures {
  /** A user with a remembered device, in `group`. */
  readonly username: string;
  readonly sub: string;
  readonly accessToken: string;
  readonly deviceKey: string;
  readonly group: string;
  /** A group that the user is not in. */
  readonly otherGroup: string;
  readonly webhookId: string;
  /** A stored admin key. */
  readonly adminKeyId: string;
  /** An app client with a secret. */
  readonly clientId: string;
  /** An app client with two secrets, and the second of them. */
  readonly rotatedClientId: string;
  readonly resourceServer: string;
  readonly identityProvider: string;
  /** The only domain of the pool: a complete host name. */
  readonly domain: string;
  readonly clientSecretId: string;
  /** An unused name. */
  readonly fresh: string;
}

/** A valid request of an admin route. */
export interface AdminRequest {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  /** JSON, or empty. */
  readonly body: string;
}

/** Amazon Cognito requires one. */
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/0193a6f2';
const PROVIDER_DETAILS = { client_id: 'pool', oidc_issuer: 'https://login.example.com', authorize_scopes: 'openid' };
const WEBHOOK_URL = 'https://hooks.example.com/poolgate';

/** The value of each parameter in a path. */
const PARAMETERS: Readonly<Record<string, (setting: AdminFixtures, entryPoint: string) => string>> = {
  username: ({ username }) => username,
  device_key: ({ deviceKey }) => deviceKey,
  group_name: ({ group }) => group,
  name: ({ group }) => group,
  id: ({ webhookId }) => webhookId,
  key_id: ({ adminKeyId }) => adminKeyId,
  identifier: ({ resourceServer }) => resourceServer,
  provider_name: ({ identityProvider }) => identityProvider,
  domain: ({ domain }) => domain,
  client_id: ({ clientId, rotatedClientId }, entryPoint) =>
    entryPoint.includes('{secret_id}') ? rotatedClientId : clientId,
  secret_id: ({ clientSecretId }) => clientSecretId,
};

/** A valid body for every admin route, by method and path; undefined if it has none. */
const BODIES: Readonly<Record<string, (setting: AdminFixtures) => unknown>> = {
  'GET /admin/users': () => undefined,
  'POST /admin/users': ({ fresh }) => ({ email: `${fresh}@example.com` }),
  'GET /admin/users/{username}': () => undefined,
  'PATCH /admin/users/{username}': ({ fresh }) => ({ attributes: { name: fresh } }),
  'DELETE /admin/users/{username}': () => ({ confirm: true }),
  'POST /admin/users/{username}/disable': () => ({}),
  'POST /admin/users/{username}/enable': () => ({}),
  'POST /admin/users/{username}/reset-password': () => ({}),
  'POST /admin/users/{username}/sign-out': () => ({}),
  'POST /admin/users/{username}/mfa/reset': () => ({}),
  'GET /admin/users/{username}/groups': () => undefined,
  'POST /admin/users/{username}/groups': ({ otherGroup }) => ({ group_name: otherGroup }),
  'DELETE /admin/users/{username}/groups/{group_name}': () => ({}),
  'GET /admin/users/{username}/devices': () => undefined,
  'GET /admin/users/{username}/devices/{device_key}': () => undefined,
  'DELETE /admin/users/{username}/devices/{device_key}': () => ({}),
  'GET /admin/groups': () => undefined,
  'POST /admin/groups': ({ fresh }) => ({ group_name: fresh }),
  'GET /admin/groups/{group_name}': () => undefined,
  'PATCH /admin/groups/{group_name}': ({ fresh }) => ({ description: fresh }),
  'DELETE /admin/groups/{group_name}': () => ({}),
  'GET /admin/groups/{group_name}/users': () => undefined,
  'GET /admin/clients': () => undefined,
  'POST /admin/clients': ({ fresh }) => ({ client_name: fresh }),
  'GET /admin/clients/{client_id}': () => undefined,
  'PATCH /admin/clients/{client_id}': ({ fresh }) => ({ client_name: fresh }),
  'DELETE /admin/clients/{client_id}': () => ({}),
  'POST /admin/clients/{client_id}/secrets': () => ({}),
  'DELETE /admin/clients/{client_id}/secrets/{secret_id}': () => ({}),
  'GET /admin/resource-servers': () => undefined,
  'POST /admin/resource-servers': ({ fresh }) => ({ identifier: `https://${fresh}.example.com`, name: fresh }),
  'GET /admin/resource-servers/{identifier}': () => undefined,
  'PATCH /admin/resource-servers/{identifier}': ({ fresh }) => ({ name: fresh }),
  'DELETE /admin/resource-servers/{identifier}': () => ({}),
  'GET /admin/identity-providers': () => undefined,
  'POST /admin/identity-providers': ({ fresh }) => ({ name: fresh, type: 'OIDC', details: PROVIDER_DETAILS }),
  'GET /admin/identity-providers/{provider_name}': () => undefined,
  'PATCH /admin/identity-providers/{provider_name}': () => ({ details: PROVIDER_DETAILS }),
  'DELETE /admin/identity-providers/{provider_name}': () => ({}),
  'GET /admin/domains': () => undefined,
  'POST /admin/domains': ({ fresh }) => ({ domain: fresh }),
  'DELETE /admin/domains/{domain}': () => ({}),
  'GET /admin/signing-keys': () => undefined,
  'POST /admin/signing-keys/rotate': () => ({}),
  'GET /admin/audit': () => undefined,
  'GET /admin/webhooks': () => undefined,
  'POST /admin/webhooks': () => ({ url: WEBHOOK_URL, events: ['user.migrated'] }),
  'DELETE /admin/webhooks': ({ webhookId }) => ({ id: webhookId }),
  'DELETE /admin/webhooks/{id}': () => ({}),
  'POST /admin/webhooks/{id}/test': () => ({}),
  'GET /admin/webhooks/{id}/dead': () => undefined,
  'GET /admin/keys': () => undefined,
  'GET /admin/pool': () => undefined,
  'POST /admin/keys': ({ fresh }) => ({ label: fresh, scopes: ['keys:write'] }),
  'DELETE /admin/keys/{key_id}': () => ({}),
  'POST /user/invite': ({ fresh }) => ({ email: `${fresh}@example.com` }),
};

/** They replace the store below the other requests, and need every scope. */
const ABOUT_THE_STORE = /^\/admin\/(?:snapshots|reset)/;

/** Every administration endpoint: the method and path of each address of each admin route. */
export const ADMIN_ENDPOINTS: readonly (readonly [string, Route])[] = Object.values<Route>(ROUTES)
  .filter(({ guard, path }) => guard === 'admin' && !ABOUT_THE_STORE.test(path))
  .flatMap((route) => listAddresses(route).map(({ method, path }) => [`${method} ${path}`, route] as const));

/** Endpoints without a request above. */
export const ENDPOINTS_WITHOUT_REQUEST: readonly string[] = ADMIN_ENDPOINTS.map(([entryPoint]) => entryPoint).filter(
  (entryPoint) => !(entryPoint in BODIES),
);

/** Creates the request of one endpoint under a mount. */
export function createAdminRequest(
  [entryPoint, route]: readonly [string, Route],
  prefix: string,
  setting: AdminFixtures,
): AdminRequest {
  const [method = '', pattern = ''] = entryPoint.split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = PARAMETERS[name]?.(setting, entryPoint);
    assert.ok(value, `${entryPoint} has a parameter ${name}`);
    return encodeURIComponent(value);
  });
  const body = BODIES[entryPoint]?.(setting);
  return { route, method, path: `${prefix}${path}`, body: body === undefined ? '' : JSON.stringify(body) };
}

/** Creates a request of every endpoint, under both mounts. */
export function createAdminRequests(setting: AdminFixtures): readonly AdminRequest[] {
  return ADMIN_ENDPOINTS.flatMap((entryPoint) =>
    ['', '/api/cognito'].map((prefix) => createAdminRequest(entryPoint, prefix, setting)),
  );
}

let settings = 0;

/** Creates the resources of admin requests. */
export async function createAdminFixtures(service: TestService): Promise<AdminFixtures> {
  settings += 1;
  const name = `setting-${settings}`;
  const username = `${name}@example.com`;
  const sub = await addUser(service, username);
  const device = await createRememberedDevice(service, username);
  const [group, otherGroup] = [`${name}-in`, `${name}-out`];
  for (const group_name of [group, otherGroup]) await postAsAdmin(service, '/admin/groups', { group_name });
  await postAsAdmin(service, `/admin/users/${username}/groups`, { group_name: group });
  // It subscribes to an event that no test causes, so nothing is ever posted.
  const webhook = await postAsAdmin(service, '/admin/webhooks', { url: WEBHOOK_URL, events: ['user.migrated'] });
  const { id: webhookId } = webhook.webhook as { readonly id: string };
  const key = await postAsAdmin(service, '/admin/keys', { label: name, scopes: ['keys:write'] });
  const { key_id: adminKeyId } = key.key as { readonly key_id: string };
  const clientId = await createClientWithSecret(service, name);
  const rotatedClientId = await createClientWithSecret(service, `${name}-rotated`);
  const added = await postAsAdmin(service, `/admin/clients/${rotatedClientId}/secrets`, {});
  const { secret_id: clientSecretId } = added.secret as { readonly secret_id: string };
  const resourceServer = `https://${name}.example.com/things`;
  await postAsAdmin(service, '/admin/resource-servers', { identifier: resourceServer, name });
  const identityProvider = `${name}-login`;
  const provider = { name: identityProvider, type: 'OIDC', details: PROVIDER_DETAILS };
  await postAsAdmin(service, '/admin/identity-providers', provider);
  const domain = await replaceDomains(service, `${name}.example.com`);
  return {
    username,
    sub,
    accessToken: device.access,
    deviceKey: device.key,
    group,
    otherGroup,
    webhookId,
    adminKeyId,
    clientId,
    rotatedClientId,
    resourceServer,
    identityProvider,
    domain,
    clientSecretId,
    fresh: `${name}-fresh`,
  };
}

/** A pool has two domains at most, so those of earlier requests are removed. */
async function replaceDomains(service: TestService, domain: string): Promise<string> {
  const { body } = await service.get('/admin/domains', service.asAdmin);
  for (const old of body.domains as readonly { readonly domain: string }[])
    await service.ask('DELETE', `/admin/domains/${old.domain}`, { headers: service.asAdmin, body: {} });
  await postAsAdmin(service, '/admin/domains', { domain, certificate_arn: CERTIFICATE });
  return domain;
}

async function createClientWithSecret(service: TestService, client_name: string): Promise<string> {
  const made = await postAsAdmin(service, '/admin/clients', { client_name, generate_secret: true });
  return (made.client as { readonly client_id: string }).client_id;
}

async function postAsAdmin(
  service: TestService,
  path: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await service.post(path, body, service.asAdmin);
  assert.ok(answer.status === 200 || answer.status === 201, `${path} ${answer.text}`);
  return answer.body;
}

/** Removes every webhook, because their number is limited. */
export async function removeWebhooks(service: TestService): Promise<void> {
  const { body } = await service.get('/admin/webhooks', service.asAdmin);
  for (const { id } of body.webhooks as readonly { readonly id: string }[])
    await service.ask('DELETE', `/admin/webhooks/${id}`, { headers: service.asAdmin, body: {} });
}

/** Adds a user to a group, and creates the group if it is missing. */
export async function putIntoGroup(service: TestService, username: string, group_name: string): Promise<void> {
  const created = await service.post('/admin/groups', { group_name }, service.asAdmin);
  assert.ok(created.status === 201 || created.status === 409, created.text);
  await postAsAdmin(service, `/admin/users/${username}/groups`, { group_name });
}

/** Returns the user of a token, as the profile shows it. */
export const readProfile = (service: TestService, accessToken: string) =>
  service.get('/user/profile', createBearerHeader(accessToken));
