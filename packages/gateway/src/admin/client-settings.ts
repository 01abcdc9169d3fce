/** App clients with the setting names of routes and commands, based on the shapes of Cognito's API. */
import { checkSchema, type FieldError, ROUTES, type Static } from '@poolgate/contract';
import type { Input, Output } from '@poolgate/provider';

/** The settings of a request. Omitted ones stay unchanged or get their defaults. */
export type ClientChanges = Static<(typeof ROUTES)['adminClientUpdate']['body']>;

/** The settings of a new client. */
export type NewClient = Static<(typeof ROUTES)['adminClientCreate']['body']>;

export type ClientDescription = NonNullable<Output<'DescribeUserPoolClient'>['UserPoolClient']>;
type ClientMembers = Omit<Input<'UpdateUserPoolClient'>, 'UserPoolId' | 'ClientId'>;

/** Browsers refresh in several tabs at once. */
const ROTATION_GRACE_SECONDS = 10;

const DEFAULT_SCOPES = ['openid', 'email', 'profile'] as const;

/** Cognito's ranges. */
const RANGES = [
  ['access_token_seconds', 300, 86_400],
  ['id_token_seconds', 300, 86_400],
  ['refresh_token_seconds', 3_600, 3_650 * 86_400],
] as const;
const MAX_GRACE_SECONDS = 60;

/** Lists the numbers outside their ranges. */
export function findRangeErrors(changes: ClientChanges): readonly FieldError[] {
  const numbers = RANGES.map(([field, least, most]) => ({ field, least, most, value: changes[field] }));
  const grace = changes.refresh_token_rotation?.grace_seconds;
  return [
    ...numbers,
    { field: 'refresh_token_rotation.grace_seconds', least: 0, most: MAX_GRACE_SECONDS, value: grace },
  ]
    .filter(({ value, least, most }) => value !== undefined && (value < least || value > most))
    .map(({ field, least, most }) => ({ field, code: 'out_of_range', message: `must be from ${least} to ${most}` }));
}

/** Validates settings that do not come from a request. */
export function listClientErrors(kind: 'new' | 'changed', settings: ClientChanges): readonly FieldError[] {
  const { body } = kind === 'new' ? ROUTES.adminClientCreate : ROUTES.adminClientUpdate;
  return [...checkSchema(body, settings), ...findRangeErrors(settings)];
}

/** Creates the request for a new client. Public clients with the code grant rotate their refresh tokens (RFC 9700 §4.14). */
export function createClientInput(
  userPoolId: string,
  { generate_secret, ...given }: NewClient,
): Input<'CreateUserPoolClient'> {
  const oauth_flows = given.oauth_flows ?? ((given.callback_urls ?? []).length > 0 ? ['code' as const] : []);
  const isMachine = oauth_flows.includes('client_credentials');
  const hasSecret = generate_secret ?? isMachine;
  const isRotating = given.refresh_token_rotation?.enabled ?? (oauth_flows.includes('code') && !hasSecret);
  const changes: ClientChanges = {
    identity_providers: ['COGNITO'],
    prevent_user_existence_errors: true,
    refresh_token_rotation: { enabled: isRotating },
    auth_flows: isMachine ? ['ALLOW_CLIENT_TOKEN_AUTH'] : listUserFlows(isRotating),
    ...(oauth_flows.length > 0 && !isMachine ? { scopes: DEFAULT_SCOPES } : {}),
    ...given,
    oauth_flows,
  };
  return {
    UserPoolId: userPoolId,
    ...toClientMembers(changes),
    ClientName: given.client_name,
    ...(hasSecret ? { GenerateSecret: true } : {}),
  };
}

/** Cognito rejects `ALLOW_REFRESH_TOKEN_AUTH` for a client that rotates. */
function listUserFlows(isRotating: boolean): NonNullable<ClientChanges['auth_flows']> {
  const flows = ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_AUTH'] as const;
  return isRotating ? flows : [...flows, 'ALLOW_REFRESH_TOKEN_AUTH'];
}

/** Creates the request that changes a client. It contains all settings, because Cognito resets omitted ones. */
export function createClientUpdate(
  { UserPoolId = '', ClientId = '', ...described }: ClientDescription,
  changes: ClientChanges,
): Input<'UpdateUserPoolClient'> {
  const {
    ClientSecret: _secret,
    ClientType: _type,
    CreationDate: _made,
    LastModifiedDate: _changed,
    ...all
  } = described;
  const { DefaultRedirectURI, ...kept } = all;
  const members = toClientMembers(changes);
  const isDefaultKept = changes.default_redirect_uri === undefined && DefaultRedirectURI !== undefined;
  return {
    UserPoolId,
    ClientId,
    ...kept,
    ...(isDefaultKept ? { DefaultRedirectURI } : {}),
    ...members,
    TokenValidityUnits: { ...kept.TokenValidityUnits, ...members.TokenValidityUnits },
  };
}

/** The corresponding members of Cognito's API. */
function toClientMembers(changes: ClientChanges): ClientMembers {
  const { client_name, callback_urls, logout_urls, default_redirect_uri, scopes, auth_flows } = changes;
  const { identity_providers, prevent_user_existence_errors: isHidden } = changes;
  return {
    ...(client_name !== undefined && { ClientName: client_name }),
    ...(callback_urls !== undefined && { CallbackURLs: callback_urls }),
    ...(logout_urls !== undefined && { LogoutURLs: logout_urls }),
    ...(typeof default_redirect_uri === 'string' && { DefaultRedirectURI: default_redirect_uri }),
    ...(scopes !== undefined && { AllowedOAuthScopes: scopes }),
    ...(auth_flows !== undefined && { ExplicitAuthFlows: auth_flows }),
    ...(identity_providers !== undefined && { SupportedIdentityProviders: identity_providers }),
    ...(isHidden !== undefined && { PreventUserExistenceErrors: isHidden ? 'ENABLED' : 'LEGACY' }),
    ...toOAuthFlowMembers(changes),
    ...toRotationMembers(changes),
    ...toLifetimeMembers(changes),
  };
}

function toOAuthFlowMembers({ oauth_flows }: ClientChanges): ClientMembers {
  if (oauth_flows === undefined) return {};
  return { AllowedOAuthFlows: oauth_flows, AllowedOAuthFlowsUserPoolClient: oauth_flows.length > 0 };
}

function toRotationMembers({ refresh_token_rotation: rotation }: ClientChanges): ClientMembers {
  if (rotation === undefined) return {};
  const { enabled, grace_seconds = ROTATION_GRACE_SECONDS } = rotation;
  return {
    RefreshTokenRotation: enabled
      ? { Feature: 'ENABLED', RetryGracePeriodSeconds: grace_seconds }
      : { Feature: 'DISABLED' },
  };
}

const LIFETIMES = [
  ['access_token_seconds', 'AccessToken', 3_600],
  ['id_token_seconds', 'IdToken', 3_600],
  ['refresh_token_seconds', 'RefreshToken', 30 * 86_400],
] as const;

function toLifetimeMembers(changes: ClientChanges): ClientMembers {
  const given = LIFETIMES.filter(([member]) => changes[member] !== undefined);
  if (given.length === 0) return {};
  return {
    ...Object.fromEntries(given.map(([member, token]) => [`${token}Validity`, changes[member]])),
    TokenValidityUnits: Object.fromEntries(given.map(([, token]) => [token, 'seconds'])),
  };
}

const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
const USUAL_UNITS = { AccessToken: 'hours', IdToken: 'hours', RefreshToken: 'days' } as const;

/** The lifetimes of a client's tokens in seconds. */
export function readClientLifetimes(client: ClientDescription) {
  const [access_token_seconds, id_token_seconds, refresh_token_seconds] = LIFETIMES.map(([, token, usual]) => {
    const value = client[`${token}Validity`];
    const unit = client.TokenValidityUnits?.[token] ?? USUAL_UNITS[token];
    return value === undefined || value === 0 ? usual : value * UNIT_SECONDS[unit];
  }) as [number, number, number];
  return { access_token_seconds, id_token_seconds, refresh_token_seconds };
}
