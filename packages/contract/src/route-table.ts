import { accountRoutes } from './account-routes.ts';
import { adminAuditRoutes } from './admin-audit-routes.ts';
import { adminClientRoutes } from './admin-client-routes.ts';
import { adminGroupRoutes } from './admin-group-routes.ts';
import { adminIdentityProviderRoutes } from './admin-identity-provider-routes.ts';
import { adminKeyRoutes } from './admin-key-routes.ts';
import { adminPoolRoutes } from './admin-pool-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { adminUserRoutes } from './admin-user-routes.ts';
import { adminWebhookRoutes } from './admin-webhook-routes.ts';
import { choiceLoginRoutes } from './choice-login-routes.ts';
import { consoleRoutes } from './console-routes.ts';
import { deviceRoutes } from './device-routes.ts';
import type { ErrorCode } from './error-codes.ts';
import { userPoolId } from './field-schemas.ts';
import { identityRoutes } from './identity-routes.ts';
import { loginRoutes } from './login-routes.ts';
import { mfaRoutes } from './mfa-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { registrationRoutes } from './registration-routes.ts';
import type { Address, Route } from './route-definition.ts';
import type { ObjectSchema } from './schema.ts';
import { serviceRoutes } from './service-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { snapshotRoutes } from './snapshot-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { webRoutes } from './web-routes.ts';

/** Every route of the service except {@link WEB_ROUTES}, by name. */
export const ROUTES = {
  ...loginRoutes,
  ...choiceLoginRoutes,
  ...tokenRoutes,
  ...registrationRoutes,
  ...passwordRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...identityRoutes,
  ...deviceRoutes,
  ...mfaRoutes,
  ...passkeyRoutes,
  ...adminRoutes,
  ...adminUserRoutes,
  ...adminGroupRoutes,
  ...adminClientRoutes,
  ...adminPoolRoutes,
  ...adminIdentityProviderRoutes,
  ...adminAuditRoutes,
  ...adminWebhookRoutes,
  ...adminKeyRoutes,
  ...serviceRoutes,
  ...snapshotRoutes,
};

/**
 * The routes of browser sessions. Those mounted as `web` are under the browser session prefix, where they replace other routes with the
 * same address. Those mounted as `root` have no prefix.
 */
export const WEB_ROUTES = webRoutes;

/** The sign-in of the console, under the browser session prefix. */
export const CONSOLE_ROUTES = consoleRoutes;

/** The families of routes. The OpenAPI document shows them as tags, in this order. */
export const ROUTE_FAMILIES: readonly {
  readonly name: string;
  readonly description: string;
  readonly routes: Readonly<Record<string, Route>>;
}[] = [
  { name: 'Login', description: 'Sign in with a password and answer challenges.', routes: loginRoutes },
  {
    name: 'Login by choice',
    description: 'Sign in with a code or a passkey.',
    routes: choiceLoginRoutes,
  },
  { name: 'Tokens', description: 'Refresh tokens and log out.', routes: tokenRoutes },
  { name: 'Registration', description: 'Sign up and verify an address.', routes: registrationRoutes },
  { name: 'Passwords', description: 'Reset and change passwords.', routes: passwordRoutes },
  { name: 'Account', description: 'Profile, contacts and deletion.', routes: accountRoutes },
  { name: 'Sessions', description: "A user's sessions.", routes: sessionRoutes },
  {
    name: 'Connected accounts',
    description: 'Accounts at other identity providers with which a user can sign in.',
    routes: identityRoutes,
  },
  { name: 'Browser sessions', description: 'A session cookie instead of tokens.', routes: webRoutes },
  { name: 'Devices', description: 'Trusted devices.', routes: deviceRoutes },
  { name: 'Second factors', description: 'Authenticators, preferences and recovery codes.', routes: mfaRoutes },
  { name: 'Passkeys', description: 'Register, rename and remove passkeys.', routes: passkeyRoutes },
  { name: 'Administration', description: 'Create and read users as an administrator.', routes: adminRoutes },
  { name: 'Users', description: 'Manage users as an administrator.', routes: adminUserRoutes },
  { name: 'Groups', description: 'Manage groups as an administrator.', routes: adminGroupRoutes },
  {
    name: 'App clients',
    description: 'Manage app clients and their secrets as an administrator.',
    routes: adminClientRoutes,
  },
  {
    name: 'Pool',
    description: 'Manage resource servers, domains and signing keys as an administrator.',
    routes: adminPoolRoutes,
  },
  {
    name: 'Identity providers',
    description: 'Manage other identity providers that users sign in with, as an administrator.',
    routes: adminIdentityProviderRoutes,
  },
  { name: 'Audit', description: 'Read the audit log as an administrator.', routes: adminAuditRoutes },
  { name: 'Webhooks', description: 'Manage webhooks as an administrator.', routes: adminWebhookRoutes },
  { name: 'Admin keys', description: 'Manage admin keys as an administrator.', routes: adminKeyRoutes },
  { name: 'Console', description: 'Sign in to the console.', routes: consoleRoutes },
  { name: 'Service', description: 'Health checks and documentation.', routes: serviceRoutes },
  {
    name: 'Snapshots',
    description: 'Save and restore the whole store in development.',
    routes: snapshotRoutes,
  },
];

/** The name of a route, which is also its `operationId` in the OpenAPI document. */
export type RouteName = keyof typeof ROUTES;

/** The name of a route of browser sessions. */
export type WebRouteName = keyof typeof WEB_ROUTES;

/** The name of a route of the console's sign-in. */
export type ConsoleRouteName = keyof typeof CONSOLE_ROUTES;

/** The name of any route. */
export type AnyRouteName = RouteName | WebRouteName | ConsoleRouteName;

/** Lists a route's own address and its aliases. */
export function listAddresses(route: Route): readonly Address[] {
  return [{ method: route.method, path: route.path }, ...route.aliases];
}

/** Returns the prefix of a route of {@link WEB_ROUTES}. */
export function findWebRoutePrefix({ mount }: Route, webPrefix: string): string {
  return mount === 'root' ? '' : webPrefix;
}

const formatAddress = ({ method, path }: Address): string => `${method} ${path}`;
const REPLACED_ON_WEB: ReadonlySet<string> = new Set(
  Object.values<Route>(WEB_ROUTES).flatMap((route) => listAddresses(route).map(formatAddress)),
);

/**
 * Whether an address of a route of {@link ROUTES} is also available under the browser session prefix. A `GET` with side effects is not,
 * because any website can make a browser send it; each has a `POST` counterpart. Routes for admin keys are not either, because browsers do
 * not hold admin keys.
 */
export function isUnderWebPrefix(route: Route, address: Address): boolean {
  const hasEffect = address.method === 'GET' && listAddresses(route).some(({ method }) => method !== 'GET');
  return (
    route.mount === 'routes' && route.guard !== 'admin' && !hasEffect && !REPLACED_ON_WEB.has(formatAddress(address))
  );
}

/** Whether a route is also available to a console session, under `/console/api` of the browser session prefix. */
export function isUnderConsolePrefix({ guard, mount }: Route): boolean {
  return mount === 'routes' && guard === 'admin';
}

const VERSIONED: ReadonlyMap<string, RouteName> = new Map(
  Object.entries<Route>(ROUTES)
    .filter(([, { guard, method }]) => guard === 'admin' && method === 'GET')
    .map(([name, { path }]) => [path, name as RouteName]),
);

/**
 * Returns the route that reads what a route changes as an administrator: the `GET` of the same path. Its response has an `ETag`, and the
 * change may have an `If-Match` (RFC 9110 §13.1.1). Undefined for any other route.
 */
export function findReadRoute({ guard, method, path }: Route): RouteName | undefined {
  return guard === 'admin' && (method === 'PATCH' || method === 'DELETE') ? VERSIONED.get(path) : undefined;
}

const CHANGED_PATHS: ReadonlySet<string> = new Set(
  Object.values<Route>(ROUTES)
    .filter((route) => findReadRoute(route) !== undefined)
    .map(({ path }) => path),
);

/** Whether the responses of a route have an `ETag`: it returns a resource that can be changed with an `If-Match`. */
export function hasEntityTag(route: Route): boolean {
  if (route.guard !== 'admin' || !CHANGED_PATHS.has(route.path)) return false;
  if (route.method === 'GET') return true;
  const name = findReadRoute(route);
  if (name === undefined) return false;
  const read: Route = ROUTES[name];
  return route.responses[200]?.schema === read.responses[200]?.schema;
}

/** The members that the query of a route may have. */
export function listQueryMembers({ query, namesPool }: Route): ObjectSchema | undefined {
  if (!namesPool) return query;
  return { type: 'object', ...query, properties: { ...query?.properties, user_pool_id: userPoolId } };
}

const EVERY_ROUTE: readonly ErrorCode[] = [
  'malformed_request',
  'misdirected_request',
  'internal_error',
  'provider_error',
  'unavailable',
  'timeout',
];

const BY_GUARD = {
  public: [],
  user: ['unauthenticated', 'forbidden'],
  'user-or-session': ['unauthenticated', 'forbidden'],
  admin: ['unauthenticated', 'forbidden'],
  operator: ['unauthenticated', 'forbidden'],
} as const satisfies Record<Route['guard'], readonly ErrorCode[]>;

const IDEMPOTENT: readonly ErrorCode[] = ['idempotency_conflict', 'idempotency_in_progress'];
const CONDITIONAL: readonly ErrorCode[] = ['precondition_failed'];
const WITH_INPUT: readonly ErrorCode[] = ['validation_failed'];
const WITH_BODY: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type', 'request_timeout'];

/** Lists every error code that a route can return: its own, and those that its guard, limit and input imply. */
export function listErrorCodes(route: Route): readonly ErrorCode[] {
  const hasInput = route.body !== undefined || route.params !== undefined || listQueryMembers(route) !== undefined;
  const codes = [
    ...route.errors,
    ...BY_GUARD[route.guard],
    ...(needsAccessToken(route) && route.body !== undefined ? (['conflicting_tokens'] as const) : []),
    ...(route.recentLogin ? (['reauthentication_required'] as const) : []),
    ...(route.idempotent ? IDEMPOTENT : []),
    ...(findReadRoute(route) === undefined ? [] : CONDITIONAL),
    ...(hasInput ? WITH_INPUT : []),
    ...(route.body === undefined ? [] : WITH_BODY),
    ...(route.mount === 'web' && route.body !== undefined ? (['csrf_failed'] as const) : []),
    ...(route.limit === 'none' ? [] : (['too_many_requests'] as const)),
    ...EVERY_ROUTE,
  ];
  return [...new Set(codes)].sort();
}

/** Whether a route acts for the user of an access token. */
function needsAccessToken({ guard, mount }: Route): boolean {
  return mount === 'routes' && (guard === 'user' || guard === 'user-or-session');
}
