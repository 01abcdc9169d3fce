import type { CallContext, IdentityProvider, OperationName, ProviderOperations } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { recordDeletedUser, recordRevokedUser } from '../revocations.ts';
import { unverifiedClaims } from '../token-claims.ts';
import { syncResetFlag } from '../users/reset-flag.ts';
import { subOf } from '../users/user.ts';

/** What an operation does to a user's tokens, once it succeeded. */
interface RevocationRule {
  /** By what the request says whom it is about. */
  readonly userFrom: 'Username' | 'AccessToken';
  readonly revoke: (deps: GatewayDeps, sub: string) => Promise<void>;
  /** True: whether the password must be reset may have changed. */
  readonly mayChangeReset?: true;
  /** True: it ends nothing unless it took the last second factor away. */
  readonly onlyWithoutFactors?: true;
}

/** Every operation that revokes all logins of a user. Cognito's leave them alive where an administrator takes the second factors away. */
const REVOKING_OPERATIONS: Partial<Record<OperationName, RevocationRule>> = {
  AdminDeleteSoftwareToken: { userFrom: 'Username', revoke: recordRevokedUser },
  AdminDeleteUser: { userFrom: 'Username', revoke: recordDeletedUser },
  AdminDisableUser: { userFrom: 'Username', revoke: recordRevokedUser },
  AdminResetUserPassword: { userFrom: 'Username', revoke: recordRevokedUser, mayChangeReset: true },
  AdminSetUserMFAPreference: { userFrom: 'Username', revoke: recordRevokedUser, onlyWithoutFactors: true },
  AdminSetUserPassword: { userFrom: 'Username', revoke: recordRevokedUser, mayChangeReset: true },
  AdminSetUserSettings: { userFrom: 'Username', revoke: recordRevokedUser, onlyWithoutFactors: true },
  AdminUserGlobalSignOut: { userFrom: 'Username', revoke: recordRevokedUser },
  ConfirmForgotPassword: { userFrom: 'Username', revoke: recordRevokedUser, mayChangeReset: true },
  DeleteUser: { userFrom: 'AccessToken', revoke: recordDeletedUser },
  GlobalSignOut: { userFrom: 'AccessToken', revoke: recordRevokedUser },
};

interface ProviderInput {
  readonly UserPoolId?: string;
  readonly ClientId?: string;
  readonly Username?: string;
  readonly AccessToken?: string;
}

type Operation = (input: ProviderInput, context: CallContext) => Promise<unknown>;

/**
 * The provider as the Cognito-compatible API serves it: what it ends there has ended on the routes too, at every replica, before
 * the answer is given. The routes so ask the provider nothing about a token. One that records revocations itself needs only the flag that
 * the password must be reset to follow.
 */
export function revocationProvider(deps: GatewayDeps): Pick<IdentityProvider, 'operations'> {
  const operations = deps.provider.operations as unknown as Readonly<Record<string, Operation>>;
  const revoking = Object.entries(REVOKING_OPERATIONS).map(([name, row]) => {
    const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const operation = operations[method];
    if (operation === undefined) throw new TypeError(`provider: has no operation ${method}`);
    return [method, withRevocation(deps, operation.bind(operations), row)];
  });
  return { operations: { ...operations, ...Object.fromEntries(revoking) } as unknown as ProviderOperations };
}

function withRevocation(deps: GatewayDeps, operation: Operation, row: RevocationRule): Operation {
  const { recordsRevocations } = deps.provider;
  if (recordsRevocations && row.mayChangeReset === undefined) return operation;
  return async (input, context) => {
    const userPoolId = await poolOf(deps, input);
    // No such pool and no such client: the provider refuses.
    if (userPoolId === undefined) return operation(input, context);
    const ofPool = { ...deps, userPoolId };
    const before = recordsRevocations ? undefined : await userBefore(ofPool, row, input, context);
    const output = await operation(input, context);
    const isMeant =
      before && (row.onlyWithoutFactors === undefined || (await hasNoFactors(ofPool, before, input, context)));
    if (isMeant) await row.revoke(ofPool, before.sub);
    if (row.mayChangeReset && input.Username !== undefined) await syncResetFlag(ofPool, input.Username, context);
    return output;
  };
}

/** The pool whose user it is about: the wire serves every pool of the store, and a name is somebody else in each. */
async function poolOf({ provider }: GatewayDeps, input: ProviderInput): Promise<string | undefined> {
  const { UserPoolId, ClientId = unverifiedClaims(input.AccessToken)?.client_id } = input;
  if (UserPoolId !== undefined) return UserPoolId;
  return typeof ClientId === 'string' ? provider.poolOfClient(ClientId) : undefined;
}

interface UserBefore {
  readonly sub: string;
  /** The second factors that were on. */
  readonly factors: readonly string[];
}

/** Asked before the operation, since nobody finds a user that was deleted. */
async function userBefore(
  deps: GatewayDeps,
  { userFrom }: RevocationRule,
  input: ProviderInput,
  context: CallContext,
): Promise<UserBefore | undefined> {
  return userFrom === 'AccessToken' ? userOfUnverifiedToken(input.AccessToken) : findUserBefore(deps, input, context);
}

/** Of a token that the provider judges. */
function userOfUnverifiedToken(token: string | undefined): UserBefore | undefined {
  const sub = unverifiedClaims(token)?.sub;
  return typeof sub === 'string' ? { sub, factors: [] } : undefined;
}

/** Undefined where the provider finds nobody: it says so itself in a moment. */
async function findUserBefore(
  { provider, userPoolId }: GatewayDeps,
  { Username }: ProviderInput,
  context: CallContext,
): Promise<UserBefore | undefined> {
  if (Username === undefined) return undefined;
  const user = provider.operations.adminGetUser({ UserPoolId: userPoolId, Username }, context);
  return user.then(
    (found) => ({ sub: subOf(found), factors: found.UserMFASettingList ?? [] }),
    () => undefined,
  );
}

async function hasNoFactors(deps: GatewayDeps, { factors }: UserBefore, input: ProviderInput, context: CallContext) {
  if (factors.length === 0) return false;
  return (await findUserBefore(deps, input, context))?.factors.length === 0;
}
