import {
  type CallContext,
  type IdentityProvider,
  OPERATIONS,
  type Operation,
  type OperationName,
  type RevocationEffect,
  type SubjectFields,
  wrapOperations,
} from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { recordUserDeletion, recordUserRevocation } from '../kernel/revocations.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import { syncResetFlag } from '../users/password-reset-flag.ts';
import { requireSub } from '../users/present-user.ts';

type Revoke = (deps: GatewayDeps, sub: string) => Promise<void>;

/** How an operation's revocations are recorded. Only the provider revokes a single login. */
const RECORDS: Readonly<Record<RevocationEffect, Revoke | undefined>> = {
  nothing: undefined,
  'one-login': undefined,
  logins: recordUserRevocation,
  'logins-without-factors': recordUserRevocation,
  account: recordUserDeletion,
};

/**
 * Wraps the provider for the Cognito-compatible API. What it revokes there is revoked on the routes too, on every replica and before the
 * response. The routes therefore need not ask the provider about a token. For a provider that records revocations itself, only the flag for
 * a required password reset is updated.
 */
export function createRevocationProvider(deps: GatewayDeps): IdentityProvider {
  return wrapOperations(deps.provider, (name, operation) => {
    const revoke = RECORDS[OPERATIONS[name].revokes];
    return revoke === undefined ? operation : addRevocation(deps, name, operation, revoke);
  });
}

function addRevocation<Name extends OperationName>(
  deps: GatewayDeps,
  name: Name,
  operation: Operation<Name>,
  revoke: Revoke,
): Operation<Name> {
  const { recordsRevocations } = deps.provider;
  const { revokes, mayChangeReset } = OPERATIONS[name];
  if (recordsRevocations && !mayChangeReset) return operation;
  return async (input, call) => {
    const subject: SubjectFields = input;
    const userPoolId = await findUserPoolId(deps, subject);
    // Pool or client do not exist, so the provider will refuse.
    if (userPoolId === undefined) return operation(input, call);
    const ofPool = { ...deps, userPoolId };
    const before = recordsRevocations ? undefined : await takeUserSnapshot(ofPool, name, subject, call);
    const output = await operation(input, call);
    const isMeant =
      before && (revokes !== 'logins-without-factors' || (await hasNoFactors(ofPool, before, subject, call)));
    if (isMeant) await revoke(ofPool, before.sub);
    if (mayChangeReset && subject.Username !== undefined) await syncResetFlag(ofPool, subject.Username, call);
    return output;
  };
}

/** The pool of the operation's user. The Cognito-compatible API serves every pool of the store, and a name means another user in each. */
async function findUserPoolId({ provider }: GatewayDeps, input: SubjectFields): Promise<string | undefined> {
  const { UserPoolId, ClientId = readUnverifiedClaims(input.AccessToken)?.client_id } = input;
  if (UserPoolId !== undefined) return UserPoolId;
  return typeof ClientId === 'string' ? provider.poolOfClient(ClientId) : undefined;
}

interface UserSnapshot {
  readonly sub: string;
  /** The enabled second factors. */
  readonly factors: readonly string[];
}

/** Read before the operation, because a deleted user cannot be found. */
async function takeUserSnapshot(
  deps: GatewayDeps,
  name: OperationName,
  subject: SubjectFields,
  call: CallContext,
): Promise<UserSnapshot | undefined> {
  return OPERATIONS[name].access === 'access-token'
    ? readTokenUser(subject.AccessToken)
    : findUserSnapshot(deps, subject, call);
}

/** From a token that the provider will verify. */
function readTokenUser(token: string | undefined): UserSnapshot | undefined {
  const sub = readUnverifiedClaims(token)?.sub;
  return typeof sub === 'string' ? { sub, factors: [] } : undefined;
}

/** Undefined if the provider does not find the user, which it will report itself. */
async function findUserSnapshot(
  { provider, userPoolId }: GatewayDeps,
  { Username }: SubjectFields,
  call: CallContext,
): Promise<UserSnapshot | undefined> {
  if (Username === undefined) return undefined;
  const user = provider.operations.adminGetUser({ UserPoolId: userPoolId, Username }, call);
  return user.then(
    (found) => ({ sub: requireSub(found), factors: found.UserMFASettingList ?? [] }),
    () => undefined,
  );
}

async function hasNoFactors(deps: GatewayDeps, { factors }: UserSnapshot, input: SubjectFields, call: CallContext) {
  if (factors.length === 0) return false;
  return (await findUserSnapshot(deps, input, call))?.factors.length === 0;
}
