import {
  type IdentityProvider,
  type Input,
  OPERATIONS,
  type OperationName,
  type OperationNameWhere,
  type OperationRow,
  ProviderError,
  type SubjectFields,
  wrapOperations,
} from '@poolgate/provider';
import { isRecentLogin } from '../guards/recent-login.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import { isContact } from '../users/contacts.ts';

/** Whether a request changes a login factor or deletes the account. */
type Requirement<Name extends OperationName> = (input: Input<Name>) => boolean;

/** For operations with both kinds of requests. */
const BY_REQUEST: {
  readonly [Name in OperationNameWhere<{ readonly recentLogin: 'by-request' }>]: Requirement<Name>;
} = {
  // A user who never had a password sets the first one.
  ChangePassword: ({ PreviousPassword }) => PreviousPassword === undefined,
  DeleteUserAttributes: ({ UserAttributeNames }) => UserAttributeNames.some((Name) => isContact({ Name })),
  UpdateUserAttributes: ({ UserAttributes }) => UserAttributes.some(isContact),
};

type Parts = Pick<GatewayDeps, 'clock' | 'settings'>;

/**
 * Wraps a provider so that it refuses a token whose login is too old to change login factors, with Cognito's error for tokens. The token's
 * claims are checked first, and the provider verifies it afterward, so a forged token is refused there.
 */
export function createRecentLoginProvider(deps: Parts, provider: IdentityProvider): IdentityProvider {
  return wrapOperations(provider, (name, operation) => {
    const isRequired = findRequirement(name);
    if (isRequired === undefined) return operation;
    return async (input, call) => {
      const { AccessToken }: SubjectFields = input;
      if (isRequired(input)) requireRecentToken(deps, AccessToken);
      return operation(input, call);
    };
  });
}

function findRequirement<Name extends OperationName>(name: Name): Requirement<Name> | undefined {
  const { recentLogin }: OperationRow & { readonly recentLogin?: string } = OPERATIONS[name];
  if (recentLogin === 'always') return () => true;
  const byRequest: { readonly [Each in OperationName]?: Requirement<Each> } = BY_REQUEST;
  return byRequest[name];
}

/** The provider refuses a text that is not a token. If a session replaces the token, the user is just logging in. */
function requireRecentToken(deps: Parts, token: string | undefined): void {
  const claims = readUnverifiedClaims(token);
  if (claims === undefined) return;
  const { auth_time: authTimeSeconds } = claims;
  if (typeof authTimeSeconds === 'number' && isRecentLogin(deps, { authTimeSeconds })) return;
  throw new ProviderError('NotAuthorizedException', 'Sign in again to change sign-in methods.');
}
