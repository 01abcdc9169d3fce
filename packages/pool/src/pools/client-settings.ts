import { type Input, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import type { AllowedFlow, ClientSettings, StoredOnlyClientSettings } from '../settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { attributeSchema } from '../users/attribute-schema.ts';

/** The input of a request for the settings of an app client: the members that creating and updating share. */
export type ClientSettingsInput = Omit<Input<'UpdateUserPoolClient'>, 'UserPoolId' | 'ClientId' | 'ClientName'>;

type Unit = NonNullable<NonNullable<ClientSettingsInput['TokenValidityUnits']>['AccessToken']>;
type CognitoAuthFlow = NonNullable<ClientSettingsInput['ExplicitAuthFlows']>[number];

const UNIT_SECONDS: Readonly<Record<Unit, number>> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/** Where nothing is said. */
const DEFAULT_FLOWS = ['ALLOW_REFRESH_TOKEN_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_CUSTOM_AUTH'] as const;

/** What each name allows. The old ones leave SRP and refresh as they were before there were any: allowed. */
const FLOWS: Readonly<Record<CognitoAuthFlow, readonly AllowedFlow[]>> = {
  ALLOW_ADMIN_USER_PASSWORD_AUTH: ['ADMIN_USER_PASSWORD_AUTH'],
  ALLOW_CUSTOM_AUTH: ['CUSTOM_AUTH'],
  ALLOW_REFRESH_TOKEN_AUTH: ['REFRESH_TOKEN_AUTH'],
  ALLOW_USER_AUTH: ['USER_AUTH'],
  ALLOW_USER_PASSWORD_AUTH: ['USER_PASSWORD_AUTH'],
  ALLOW_USER_SRP_AUTH: ['USER_SRP_AUTH'],
  ADMIN_NO_SRP_AUTH: ['ADMIN_USER_PASSWORD_AUTH', 'USER_SRP_AUTH', 'REFRESH_TOKEN_AUTH'],
  CUSTOM_AUTH_FLOW_ONLY: ['CUSTOM_AUTH', 'REFRESH_TOKEN_AUTH'],
  USER_PASSWORD_AUTH: ['USER_PASSWORD_AUTH', 'USER_SRP_AUTH', 'REFRESH_TOKEN_AUTH'],
};

/** One kind of token life, as requests give it. */
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

/**
 * The settings of a client after a request, which says all of them: what it leaves out has its default.
 * @throws {ProviderError} `InvalidParameterException`, `ScopeDoesNotExistException`: a value that no client of this pool can have
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
 */
export function clientSettingsFrom(pool: PoolRecord, members: ClientSettingsInput): ClientSettings {
  checkClientSettingsInput(pool, members);
  const { RefreshTokenRotation: rotation, AuthSessionValidity = 3 } = members;
  const lives = {
    accessTokenSeconds: lifetimeSeconds(TOKEN_LIFETIMES.access, members),
    idTokenSeconds: lifetimeSeconds(TOKEN_LIFETIMES.id, members),
    refreshTokenSeconds: lifetimeSeconds(TOKEN_LIFETIMES.refresh, members),
  };
  if (Math.max(lives.accessTokenSeconds, lives.idTokenSeconds) > lives.refreshTokenSeconds) {
    throw invalidParameter(
      'Invalid range for token validity: access and ID tokens must not outlive the refresh token.',
    );
  }
  return {
    ...lives,
    allowedFlows: allowedFlowsOf(members),
    preventUserExistenceErrors: members.PreventUserExistenceErrors === 'ENABLED',
    authSessionSeconds: AuthSessionValidity * 60,
    tokenRevocation: members.EnableTokenRevocation ?? true,
    refreshRotation: rotation?.Feature === 'ENABLED' ? { graceSeconds: rotation.RetryGracePeriodSeconds ?? 0 } : null,
    // The API reference speaks of the standard attributes; what happens at AWS is all of them (aws-cdk issues 7607 and 21835).
    readAttributes: members.ReadAttributes ?? null,
    writeAttributes: members.WriteAttributes ?? null,
    kept: storedOnlyClientSettings(members),
  };
}

function allowedFlowsOf({ ExplicitAuthFlows: flows = DEFAULT_FLOWS }: ClientSettingsInput): readonly AllowedFlow[] {
  return [...new Set((flows.length === 0 ? DEFAULT_FLOWS : flows).flatMap((flow) => FLOWS[flow]))];
}

function lifetimeSeconds(
  { value, unit, usualUnit, usualSeconds, least, most }: TokenLifetime,
  members: ClientSettingsInput,
): number {
  const given = members[value];
  // Cognito reads a refresh token life of 0 as none given.
  if (given === undefined || given === 0) return usualSeconds;
  const seconds = given * UNIT_SECONDS[members.TokenValidityUnits?.[unit] ?? usualUnit];
  if (seconds < least || seconds > most) {
    throw invalidParameter(`Invalid range for token validity: ${value} must lie between ${least} and ${most} seconds.`);
  }
  return seconds;
}

function storedOnlyClientSettings({
  AuthSessionValidity: _life,
  EnableTokenRevocation: _revocation,
  PreventUserExistenceErrors: _existence,
  RefreshTokenRotation: _rotation,
  RefreshTokenValidity,
  ...kept
}: ClientSettingsInput): StoredOnlyClientSettings {
  return { ...kept, RefreshTokenValidity: RefreshTokenValidity || 30 };
}

const LEGACY = (flow: CognitoAuthFlow) => !flow.startsWith('ALLOW_');

interface ClientRule {
  /** Default: `InvalidParameterException`. */
  readonly code?: ProviderErrorCode;
  readonly isBroken: (members: ClientSettingsInput, pool: PoolRecord) => boolean;
  readonly message: string | ((members: ClientSettingsInput, pool: PoolRecord) => string);
}

const isUnknown =
  ({ settings }: PoolRecord) =>
  (name: string): boolean =>
    attributeSchema(settings, name) === undefined;

const foreignProvider = ({ SupportedIdentityProviders = [] }: ClientSettingsInput) =>
  SupportedIdentityProviders.find((name) => name !== 'COGNITO');

/** The scopes that every pool has; all others are those of its resource servers. */
const POOL_SCOPES: ReadonlySet<string> = new Set([
  'phone',
  'email',
  'openid',
  'profile',
  'aws.cognito.signin.user.admin',
]);

const unknownScope = ({ AllowedOAuthScopes = [] }: ClientSettingsInput) =>
  AllowedOAuthScopes.find((scope) => !POOL_SCOPES.has(scope));

const RULES: readonly ClientRule[] = [
  {
    isBroken: ({ ExplicitAuthFlows = [] }) => ExplicitAuthFlows.some(LEGACY) && !ExplicitAuthFlows.every(LEGACY),
    message: 'Cannot mix ALLOW_ prefixed and legacy authentication flows.',
  },
  {
    isBroken: (members) => foreignProvider(members) !== undefined,
    message: (members, pool) => `The provider ${foreignProvider(members)} does not exist for User Pool ${pool.id}.`,
  },
  {
    isBroken: ({ ReadAttributes = [] }, pool) => ReadAttributes.some(isUnknown(pool)),
    message: 'Invalid read attributes specified while creating a client',
  },
  {
    isBroken: ({ WriteAttributes = [] }, pool) => WriteAttributes.some(isUnknown(pool)),
    message: 'Invalid write attributes specified while creating a client',
  },
  {
    isBroken: ({ WriteAttributes }, pool) =>
      WriteAttributes !== undefined &&
      pool.settings.requiredAttributes.some((name) => name !== 'sub' && !WriteAttributes.includes(name)),
    message: 'Invalid write attributes specified while creating a client',
  },
  {
    isBroken: ({ DefaultRedirectURI, CallbackURLs = [] }) =>
      DefaultRedirectURI !== undefined && !CallbackURLs.includes(DefaultRedirectURI),
    message: 'DefaultRedirectURI must be in CallbackURLs.',
  },
  {
    isBroken: ({ AllowedOAuthFlows = [] }) =>
      AllowedOAuthFlows.includes('client_credentials') && AllowedOAuthFlows.length > 1,
    message: 'client_credentials flow can not be selected along with code flow or implicit flow.',
  },
  {
    code: 'ScopeDoesNotExistException',
    isBroken: (members) => unknownScope(members) !== undefined,
    message: (members) => `Invalid scope requested: ${unknownScope(members)}`,
  },
];

function checkClientSettingsInput(pool: PoolRecord, members: ClientSettingsInput): void {
  const broken = RULES.find(({ isBroken }) => isBroken(members, pool));
  if (broken === undefined) return;
  const message = typeof broken.message === 'string' ? broken.message : broken.message(members, pool);
  throw new ProviderError(broken.code ?? 'InvalidParameterException', message);
}

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
