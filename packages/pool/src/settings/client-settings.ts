import { type Input, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import type { AllowedFlow, ClientSettings, StoredOnlyClientSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { findAttributeSchema } from './attribute-schema.ts';
import { isPoolScope } from './oauth-scopes.ts';
import { findRedirectUriProblem } from './redirect-uris.ts';

/** The settings of an app client in a request: the members that creating and updating share. */
export type ClientSettingsInput = Omit<Input<'UpdateUserPoolClient'>, 'UserPoolId' | 'ClientId' | 'ClientName'>;

type Unit = NonNullable<NonNullable<ClientSettingsInput['TokenValidityUnits']>['AccessToken']>;
type CognitoAuthFlow = NonNullable<ClientSettingsInput['ExplicitAuthFlows']>[number];

const UNIT_SECONDS: Readonly<Record<Unit, number>> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/** The default. */
const DEFAULT_FLOWS = ['ALLOW_REFRESH_TOKEN_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_CUSTOM_AUTH'] as const;

/** What each name allows. As before newer names existed, the old ones allow SRP and refresh. */
const FLOWS: Readonly<Record<CognitoAuthFlow, readonly AllowedFlow[]>> = {
  ALLOW_ADMIN_USER_PASSWORD_AUTH: ['ADMIN_USER_PASSWORD_AUTH'],
  // For machines, through `GetClientToken`. No user logs in with it.
  ALLOW_CLIENT_TOKEN_AUTH: [],
  ALLOW_CUSTOM_AUTH: ['CUSTOM_AUTH'],
  ALLOW_REFRESH_TOKEN_AUTH: ['REFRESH_TOKEN_AUTH'],
  ALLOW_USER_AUTH: ['USER_AUTH'],
  ALLOW_USER_PASSWORD_AUTH: ['USER_PASSWORD_AUTH'],
  ALLOW_USER_SRP_AUTH: ['USER_SRP_AUTH'],
  ADMIN_NO_SRP_AUTH: ['ADMIN_USER_PASSWORD_AUTH', 'USER_SRP_AUTH', 'REFRESH_TOKEN_AUTH'],
  CUSTOM_AUTH_FLOW_ONLY: ['CUSTOM_AUTH', 'REFRESH_TOKEN_AUTH'],
  USER_PASSWORD_AUTH: ['USER_PASSWORD_AUTH', 'USER_SRP_AUTH', 'REFRESH_TOKEN_AUTH'],
};

/** A token lifetime in a request. */
interface TokenLifetime {
  readonly value: 'AccessTokenValidity' | 'IdTokenValidity' | 'RefreshTokenValidity';
  readonly unit: 'AccessToken' | 'IdToken' | 'RefreshToken';
  readonly usualUnit: Unit;
  readonly usualSeconds: number;
  readonly least: number;
  readonly most: number;
}

const DAY = 86_400;
const TOKEN_LIFETIMES = {
  access: {
    value: 'AccessTokenValidity',
    unit: 'AccessToken',
    usualUnit: 'hours',
    usualSeconds: 3_600,
    least: 300,
    most: DAY,
  },
  id: { value: 'IdTokenValidity', unit: 'IdToken', usualUnit: 'hours', usualSeconds: 3_600, least: 300, most: DAY },
  refresh: {
    value: 'RefreshTokenValidity',
    unit: 'RefreshToken',
    usualUnit: 'days',
    usualSeconds: 30 * DAY,
    least: 3_600,
    most: 3_650 * DAY,
  },
} as const satisfies Record<string, TokenLifetime>;

/** The facts that are needed in addition to the request. */
export interface ClientSettingsDependencies {
  readonly hasSecret: boolean;
  /** The requested scopes that resource servers of the pool define. */
  readonly customScopes: ReadonlySet<string>;
  /**
   * Creates a client's settings from a request, which is complete: omitted members get their defaults.
   * @throws {ProviderError} `InvalidParameterException`, `ScopeDoesNotExistException`: a value that no client of this pool can have
   * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
   */
  readonly identityProviders: ReadonlySet<string>;
}

const NO_FACTS: ClientSettingsDependencies = {
  hasSecret: false,
  customScopes: new Set(),
  identityProviders: new Set(),
};

/** The API reference mentions the standard attributes; AWS actually uses all of them (aws-cdk issues 7607 and 21835). */
export function parseClientSettings(
  pool: PoolRecord,
  members: ClientSettingsInput,
  facts: ClientSettingsDependencies = NO_FACTS,
): ClientSettings {
  checkClientSettingsInput(pool, members, facts);
  const { RefreshTokenRotation: rotation, AuthSessionValidity = 3 } = members;
  const lives = {
    accessTokenSeconds: parseLifetimeSeconds(TOKEN_LIFETIMES.access, members),
    idTokenSeconds: parseLifetimeSeconds(TOKEN_LIFETIMES.id, members),
    refreshTokenSeconds: parseLifetimeSeconds(TOKEN_LIFETIMES.refresh, members),
  };
  if (Math.max(lives.accessTokenSeconds, lives.idTokenSeconds) > lives.refreshTokenSeconds) {
    throw invalidParameterError(
      'Invalid range for token validity: access and ID tokens must not outlive the refresh token.',
    );
  }
  return {
    ...lives,
    allowedFlows: parseAllowedFlows(members),
    preventUserExistenceErrors: members.PreventUserExistenceErrors === 'ENABLED',
    authSessionSeconds: AuthSessionValidity * 60,
    tokenRevocation: members.EnableTokenRevocation ?? true,
    refreshRotation: rotation?.Feature === 'ENABLED' ? { graceSeconds: rotation.RetryGracePeriodSeconds ?? 0 } : null,
    // Cognito treats a refresh token lifetime of 0 as missing.
    readAttributes: members.ReadAttributes ?? null,
    writeAttributes: members.WriteAttributes ?? null,
    kept: pickStoredOnlyClientSettings(members),
  };
}

function parseAllowedFlows({ ExplicitAuthFlows: flows = DEFAULT_FLOWS }: ClientSettingsInput): readonly AllowedFlow[] {
  return [...new Set((flows.length === 0 ? DEFAULT_FLOWS : flows).flatMap((flow) => FLOWS[flow]))];
}

function parseLifetimeSeconds(
  { value, unit, usualUnit, usualSeconds, least, most }: TokenLifetime,
  members: ClientSettingsInput,
): number {
  const given = members[value];
  // Cognito reads a refresh token life of 0 as none given.
  if (given === undefined || given === 0) return usualSeconds;
  const seconds = given * UNIT_SECONDS[members.TokenValidityUnits?.[unit] ?? usualUnit];
  if (seconds < least || seconds > most) {
    throw invalidParameterError(
      `Invalid range for token validity: ${value} must lie between ${least} and ${most} seconds.`,
    );
  }
  return seconds;
}

function pickStoredOnlyClientSettings({
  AuthSessionValidity: _life,
  EnableTokenRevocation: _revocation,
  PreventUserExistenceErrors: _existence,
  RefreshTokenRotation: _rotation,
  RefreshTokenValidity,
  ...kept
}: ClientSettingsInput): StoredOnlyClientSettings {
  return { ...kept, RefreshTokenValidity: RefreshTokenValidity || 30 };
}

const isLegacyFlow = (flow: CognitoAuthFlow) => !flow.startsWith('ALLOW_');

interface ClientRule {
  /** Returns what is wrong; undefined if nothing. */
  readonly code?: ProviderErrorCode;
  /** A problem with a single text. */
  readonly problem: (
    members: ClientSettingsInput,
    pool: PoolRecord,
    facts: ClientSettingsDependencies,
  ) => string | undefined;
}

const isUnknown =
  ({ settings }: PoolRecord) =>
  (name: string): boolean =>
    findAttributeSchema(settings, name) === undefined;

const INVALID_READ = 'Invalid read attributes specified while creating a client';
const INVALID_WRITE = 'Invalid write attributes specified while creating a client';

/** Cognito's rules for the OAuth settings. */
const broken = (isBroken: boolean, message: string): string | undefined => (isBroken ? message : undefined);

/** What Cognito asks of the settings that are for the OAuth endpoints. */
const OAUTH_RULES: readonly ClientRule[] = [
  {
    problem: ({ ExplicitAuthFlows: flows = [] }) =>
      broken(
        flows.includes('ALLOW_CLIENT_TOKEN_AUTH') && flows.length > 1,
        'ALLOW_CLIENT_TOKEN_AUTH must be the only authentication flow of the client.',
      ),
  },
  {
    problem: ({ ExplicitAuthFlows: flows = [] }, _pool, { hasSecret }) =>
      broken(
        flows.includes('ALLOW_CLIENT_TOKEN_AUTH') && !hasSecret,
        'ALLOW_CLIENT_TOKEN_AUTH cannot be selected if the client does not have a client secret.',
      ),
  },
  {
    problem: ({ CallbackURLs = [], LogoutURLs = [] }) =>
      [...CallbackURLs, ...LogoutURLs].map(findRedirectUriProblem).find((problem) => problem !== undefined),
  },
  {
    problem: ({ DefaultRedirectURI: uri, CallbackURLs = [] }) =>
      broken(uri !== undefined && !CallbackURLs.includes(uri), 'DefaultRedirectURI must be in CallbackURLs.'),
  },
  {
    code: 'InvalidOAuthFlowException',
    problem: ({ AllowedOAuthFlows: flows = [] }) =>
      broken(
        flows.includes('client_credentials') && flows.length > 1,
        'client_credentials flow can not be selected along with code flow or implicit flow.',
      ),
  },
  {
    code: 'InvalidOAuthFlowException',
    problem: ({ AllowedOAuthFlows: flows = [] }, _pool, { hasSecret }) =>
      broken(
        flows.includes('client_credentials') && !hasSecret,
        'client_credentials flow can not be selected if client does not have a client secret.',
      ),
  },
  {
    problem: ({ AllowedOAuthFlowsUserPoolClient: isAllowed, AllowedOAuthFlows: flows = [], AllowedOAuthScopes = [] }) =>
      broken(
        isAllowed === true && (flows.length === 0 || AllowedOAuthScopes.length === 0),
        'AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is allowed to use OAuth flows.',
      ),
  },
  {
    code: 'ScopeDoesNotExistException',
    problem({ AllowedOAuthScopes: scopes = [] }, _pool, { customScopes }) {
      const unknown = scopes.find((scope) => !isPoolScope(scope) && !customScopes.has(scope));
      return unknown && `Invalid scope requested: ${unknown}`;
    },
  },
];

const RULES: readonly ClientRule[] = [
  {
    problem: ({ ExplicitAuthFlows: flows = [] }) =>
      broken(
        flows.some(isLegacyFlow) && !flows.every(isLegacyFlow),
        'Cannot mix ALLOW_ prefixed and legacy authentication flows.',
      ),
  },
  {
    problem({ SupportedIdentityProviders: names = [] }, { id }, { identityProviders }) {
      const foreign = names.find((name) => name !== 'COGNITO' && !identityProviders.has(name));
      return foreign && `The provider ${foreign} does not exist for User Pool ${id}.`;
    },
  },
  { problem: ({ ReadAttributes = [] }, pool) => broken(ReadAttributes.some(isUnknown(pool)), INVALID_READ) },
  { problem: ({ WriteAttributes = [] }, pool) => broken(WriteAttributes.some(isUnknown(pool)), INVALID_WRITE) },
  {
    problem: ({ WriteAttributes: names }, { settings }) =>
      broken(
        names !== undefined && settings.requiredAttributes.some((name) => name !== 'sub' && !names.includes(name)),
        INVALID_WRITE,
      ),
  },
  ...OAUTH_RULES,
];

function checkClientSettingsInput(
  pool: PoolRecord,
  members: ClientSettingsInput,
  facts: ClientSettingsDependencies,
): void {
  for (const { code = 'InvalidParameterException', problem } of RULES) {
    const message = problem(members, pool, facts);
    if (message !== undefined) throw new ProviderError(code, message);
  }
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
