import {
  type CallContext,
  type IdentityProvider,
  type Input,
  type OperationName,
  ProviderError,
  type ProviderOperations,
} from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { isRecentLogin } from '../guards/recent-login.ts';
import { unverifiedClaims } from '../token-claims.ts';
import { isContact } from '../users/contacts.ts';

/** The operations that an access token opens. */
type TokenOperation = {
  [Name in OperationName]: 'AccessToken' extends keyof Input<Name> ? Name : never;
}[OperationName];

/** Whether a request changes what the user proves itself with, or ends the account. */
type RequiresRecentLogin<Name extends OperationName> = boolean | ((input: Input<Name>) => boolean);

/** Of every operation with an access token, whether it asks for a recent login: what the routes ask for it, and what they have no route for. */
const RECENT_LOGIN_OPERATIONS: { readonly [Name in TokenOperation]: RequiresRecentLogin<Name> } = {
  AssociateSoftwareToken: true,
  // Who never had a password sets the first one.
  ChangePassword: ({ PreviousPassword }) => PreviousPassword === undefined,
  CompleteWebAuthnRegistration: true,
  ConfirmDevice: false,
  DeleteUser: true,
  DeleteUserAttributes: ({ UserAttributeNames }) => UserAttributeNames.some((Name) => isContact({ Name })),
  DeleteWebAuthnCredential: true,
  ForgetDevice: false,
  GetDevice: false,
  GetUser: false,
  GetUserAttributeVerificationCode: false,
  GetUserAuthFactors: false,
  GlobalSignOut: false,
  ListDevices: false,
  ListUserSessions: false,
  ListWebAuthnCredentials: false,
  RevokeUserSession: false,
  SetUserMFAPreference: true,
  SetUserSettings: true,
  StartWebAuthnRegistration: true,
  UpdateDeviceStatus: false,
  UpdateUserAttributes: ({ UserAttributes }) => UserAttributes.some(isContact),
  VerifySoftwareToken: true,
  // A new address was asked for with a recent login; its code proves the mailbox.
  VerifyUserAttribute: false,
};

type Parts = Pick<GatewayDeps, 'clock' | 'settings'>;
type OperationsOnly = Pick<IdentityProvider, 'operations'>;
type Operation = (input: { readonly AccessToken?: string }, context: CallContext) => Promise<unknown>;

/**
 * The operations of a provider, which refuse a token whose login is too old to change what the user proves itself with, as Cognito
 * refuses a token. What the token says is looked at first and judged by the provider afterwards: a forged one is refused there.
 */
export function recentLoginProvider(deps: Parts, { operations }: OperationsOnly): OperationsOnly {
  const all = operations as unknown as Readonly<Record<string, Operation>>;
  const guarded = Object.entries(RECENT_LOGIN_OPERATIONS).flatMap(([name, rule]) => {
    if (rule === false) return [];
    const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const operation = all[method];
    if (operation === undefined) throw new TypeError(`provider: has no operation ${method}`);
    const isRequired = (typeof rule === 'function' ? rule : () => true) as (input: unknown) => boolean;
    const guard: Operation = async (input, context) => {
      if (isRequired(input)) requireRecentToken(deps, input.AccessToken);
      return operation.call(all, input, context);
    };
    return [[method, guard] as const];
  });
  return { operations: { ...all, ...Object.fromEntries(guarded) } as unknown as ProviderOperations };
}

/** A text that is no token is for the provider to refuse; where a session stands in for a token, somebody is just logging in. */
function requireRecentToken(deps: Parts, token: string | undefined): void {
  const claims = unverifiedClaims(token);
  if (claims === undefined) return;
  const { auth_time: authTimeSeconds } = claims;
  if (typeof authTimeSeconds === 'number' && isRecentLogin(deps, { authTimeSeconds })) return;
  throw new ProviderError('NotAuthorizedException', 'A recent login is needed.');
}
