import type { ROUTES, Static } from '@poolgate/contract';

type Routes = typeof ROUTES;
type Row<Name extends keyof Routes> = Pick<Routes[Name], Extract<'method' | 'path' | 'scope', keyof Routes[Name]>>;

/** The routes that the console calls. Their types come from the contract, which is too large for the bundle. */
export const ADMIN_ROUTES = {
  adminUserList: { method: 'GET', path: '/admin/users', scope: 'users:read' },
  adminUserCreate: { method: 'POST', path: '/admin/users', scope: 'users:write' },
  adminUserGet: { method: 'GET', path: '/admin/users/{username}', scope: 'users:read' },
  adminUserUpdate: { method: 'PATCH', path: '/admin/users/{username}', scope: 'users:write' },
  adminUserDelete: { method: 'DELETE', path: '/admin/users/{username}', scope: 'users:write' },
  adminUserDisable: { method: 'POST', path: '/admin/users/{username}/disable', scope: 'users:write' },
  adminUserEnable: { method: 'POST', path: '/admin/users/{username}/enable', scope: 'users:write' },
  adminUserResetPassword: { method: 'POST', path: '/admin/users/{username}/reset-password', scope: 'users:write' },
  adminUserSignOut: { method: 'POST', path: '/admin/users/{username}/sign-out', scope: 'sessions:write' },
  adminUserMfaReset: { method: 'POST', path: '/admin/users/{username}/mfa/reset', scope: 'mfa:write' },
  adminUserGroupAdd: { method: 'POST', path: '/admin/users/{username}/groups', scope: 'groups:write' },
  adminUserGroupRemove: {
    method: 'DELETE',
    path: '/admin/users/{username}/groups/{group_name}',
    scope: 'groups:write',
  },
  adminUserDevices: { method: 'GET', path: '/admin/users/{username}/devices', scope: 'users:read' },
  adminUserDeviceForget: {
    method: 'DELETE',
    path: '/admin/users/{username}/devices/{device_key}',
    scope: 'users:write',
  },
  userInvite: { method: 'POST', path: '/user/invite', scope: 'users:write' },
  adminGroupList: { method: 'GET', path: '/admin/groups', scope: 'users:read' },
  adminGroupCreate: { method: 'POST', path: '/admin/groups', scope: 'groups:write' },
  adminGroupGet: { method: 'GET', path: '/admin/groups/{group_name}', scope: 'users:read' },
  adminGroupUpdate: { method: 'PATCH', path: '/admin/groups/{group_name}', scope: 'groups:write' },
  adminGroupDelete: { method: 'DELETE', path: '/admin/groups/{group_name}', scope: 'groups:write' },
  adminGroupMembers: { method: 'GET', path: '/admin/groups/{group_name}/users', scope: 'users:read' },
  adminClientList: { method: 'GET', path: '/admin/clients', scope: 'pool:read' },
  adminClientCreate: { method: 'POST', path: '/admin/clients', scope: 'clients:write' },
  adminClientGet: { method: 'GET', path: '/admin/clients/{client_id}', scope: 'pool:read' },
  adminClientUpdate: { method: 'PATCH', path: '/admin/clients/{client_id}', scope: 'clients:write' },
  adminClientDelete: { method: 'DELETE', path: '/admin/clients/{client_id}', scope: 'clients:write' },
  adminClientSecretCreate: { method: 'POST', path: '/admin/clients/{client_id}/secrets', scope: 'clients:write' },
  adminClientSecretDelete: {
    method: 'DELETE',
    path: '/admin/clients/{client_id}/secrets/{secret_id}',
    scope: 'clients:write',
  },
  adminWebhookList: { method: 'GET', path: '/admin/webhooks', scope: 'webhooks:write' },
  adminWebhookCreate: { method: 'POST', path: '/admin/webhooks', scope: 'webhooks:write' },
  adminWebhookDelete: { method: 'DELETE', path: '/admin/webhooks/{id}', scope: 'webhooks:write' },
  adminWebhookTest: { method: 'POST', path: '/admin/webhooks/{id}/test', scope: 'webhooks:write' },
  adminWebhookDead: { method: 'GET', path: '/admin/webhooks/{id}/dead', scope: 'webhooks:write' },
  adminKeyList: { method: 'GET', path: '/admin/keys', scope: 'keys:write' },
  adminKeyCreate: { method: 'POST', path: '/admin/keys', scope: 'keys:write' },
  adminKeyRevoke: { method: 'DELETE', path: '/admin/keys/{key_id}', scope: 'keys:write' },
  adminAudit: { method: 'GET', path: '/admin/audit', scope: 'audit:read' },
} as const satisfies { readonly [Name in keyof Routes]?: Row<Name> };

/** The name of a route that the console calls. */
export type AdminRouteName = keyof typeof ADMIN_ROUTES;

type Responses<Name extends AdminRouteName> = Routes[Name]['responses'];
type Schema<Row> = Row extends { readonly schema: infer Body } ? Static<Body> : never;

/** The body of a route's successful response. */
export type Answer<Name extends AdminRouteName> = Schema<Responses<Name>[keyof Responses<Name>]>;

/** A call of a route. */
export interface ApiCall<Name extends AdminRouteName = AdminRouteName> {
  readonly name: Name;
  readonly params?: Readonly<Record<string, string>>;
  /** Members without a value are not sent. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Returns the path of a call with its query. */
export function formatTarget({ name, params = {}, query = {} }: ApiCall): string {
  const path = ADMIN_ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, member: string) =>
    encodeURIComponent(params[member] ?? ''),
  );
  const filled = Object.entries(query).flatMap(([member, value]) => (value ? [[member, value]] : []));
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
}
