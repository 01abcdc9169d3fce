import type { CallContext, IdentityProvider, OperationName, ProviderOperations } from '@poolgate/provider';
import { resetFlagInStep } from '../account/reset-flag.ts';
import { subOf } from '../account/user.ts';
import type { GatewayDeps } from '../deps.ts';
import { endLogins, tombstone } from './endings.ts';
import { claimsIn } from './token-claims.ts';

/** What an operation does to a user's tokens, once it succeeded. */
interface Ending {
  /** By what the request says whom it is about. */
  readonly of: 'Username' | 'AccessToken';
  readonly effect: (deps: GatewayDeps, sub: string) => Promise<void>;
  /** True: whether the password must be reset may have changed. */
  readonly password?: true;
  /** True: it ends nothing unless it took the last second factor away. */
  readonly factors?: true;
}

/** Every operation that ends all logins of a user. Cognito's leave them alive where an administrator takes the second factors away. */
const ENDINGS: Partial<Record<OperationName, Ending>> = {
  AdminDeleteSoftwareToken: { of: 'Username', effect: endLogins },
  AdminDeleteUser: { of: 'Username', effect: tombstone },
  AdminDisableUser: { of: 'Username', effect: endLogins },
  AdminResetUserPassword: { of: 'Username', effect: endLogins, password: true },
  AdminSetUserMFAPreference: { of: 'Username', effect: endLogins, factors: true },
  AdminSetUserPassword: { of: 'Username', effect: endLogins, password: true },
  AdminSetUserSettings: { of: 'Username', effect: endLogins, factors: true },
  AdminUserGlobalSignOut: { of: 'Username', effect: endLogins },
  ConfirmForgotPassword: { of: 'Username', effect: endLogins, password: true },
  DeleteUser: { of: 'AccessToken', effect: tombstone },
  GlobalSignOut: { of: 'AccessToken', effect: endLogins },
};

interface Named {
  readonly UserPoolId?: string;
  readonly ClientId?: string;
  readonly Username?: string;
  readonly AccessToken?: string;
}

type Operation = (input: Named, context: CallContext) => Promise<unknown>;

/**
 * The provider as the wire endpoint serves it: what it ends there has ended on the routes too, at every replica, before
 * the answer is given. The routes so ask the provider nothing about a token.
 */
export function endingProvider(deps: GatewayDeps): Pick<IdentityProvider, 'operations'> {
  const operations = deps.provider.operations as unknown as Readonly<Record<string, Operation>>;
  const ending = Object.entries(ENDINGS).map(([name, row]) => {
    const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const operation = operations[method];
    if (operation === undefined) throw new TypeError(`provider: has no operation ${method}`);
    return [method, withEnding(deps, operation.bind(operations), row)];
  });
  return { operations: { ...operations, ...Object.fromEntries(ending) } as unknown as ProviderOperations };
}

function withEnding(deps: GatewayDeps, operation: Operation, row: Ending): Operation {
  return async (input, context) => {
    const userPoolId = await poolOf(deps, input);
    // No such pool and no such client: the provider refuses.
    if (userPoolId === undefined) return operation(input, context);
    const ofPool = { ...deps, userPoolId };
    // Before, since nobody finds a user that was deleted.
    const before = row.of === 'AccessToken' ? subIn(input.AccessToken) : await userNamed(ofPool, input, context);
    const output = await operation(input, context);
    const isMeant = before && (row.factors === undefined || (await hasNoFactors(ofPool, before, input, context)));
    if (isMeant) await row.effect(ofPool, before.sub);
    if (row.password && input.Username !== undefined) await resetFlagInStep(ofPool, input.Username, context);
    return output;
  };
}

/** The pool whose user it is about: the wire serves every pool of the store, and a name is somebody else in each. */
async function poolOf({ provider }: GatewayDeps, input: Named): Promise<string | undefined> {
  const { UserPoolId, ClientId = claimsIn(input.AccessToken)?.client_id } = input;
  if (UserPoolId !== undefined) return UserPoolId;
  return typeof ClientId === 'string' ? provider.poolOfClient(ClientId) : undefined;
}

interface Before {
  readonly sub: string;
  /** The second factors that were on. */
  readonly factors: readonly string[];
}

/** Of a token that the provider judges. */
function subIn(token: string | undefined): Before | undefined {
  const sub = claimsIn(token)?.sub;
  return typeof sub === 'string' ? { sub, factors: [] } : undefined;
}

/** Undefined where the provider finds nobody: it says so itself in a moment. */
async function userNamed(
  { provider, userPoolId }: GatewayDeps,
  { Username }: Named,
  context: CallContext,
): Promise<Before | undefined> {
  if (Username === undefined) return undefined;
  const user = provider.operations.adminGetUser({ UserPoolId: userPoolId, Username }, context);
  return user.then(
    (found) => ({ sub: subOf(found), factors: found.UserMFASettingList ?? [] }),
    () => undefined,
  );
}

async function hasNoFactors(deps: GatewayDeps, { factors }: Before, input: Named, context: CallContext) {
  if (factors.length === 0) return false;
  return (await userNamed(deps, input, context))?.factors.length === 0;
}
