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

/** How what an operation revokes is recorded. One login is revoked by the provider, and by nobody else. */
const RECORDS: Readonly<Record<RevocationEffect, Revoke | undefined>> = {
  nothing: undefined,
  'one-login': undefined,
  logins: recordUserRevocation,
  'logins-without-factors': recordUserRevocation,
  account: recordUserDeletion,
};

/**
 * The provider as the Cognito-compatible API serves it: what it revokes there is revoked on the routes too, at every replica, before
 * the answer is given. The routes so ask the provider nothing about a token. One that records revocations itself needs only the flag that
 * the password must be reset to follow.
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
    // No such pool and no such client: the provider refuses.
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

/** The pool whose user it is about: the Cognito-compatible API serves every pool of the store, and a name is somebody else in each. */
async function findUserPoolId({ provider }: GatewayDeps, input: SubjectFields): Promise<string | undefined> {
  const { UserPoolId, ClientId = readUnverifiedClaims(input.AccessToken)?.client_id } = input;
  if (UserPoolId !== undefined) return UserPoolId;
  return typeof ClientId === 'string' ? provider.poolOfClient(ClientId) : undefined;
}

interface UserSnapshot {
  readonly sub: string;
  /** The second factors that were on. */
  readonly factors: readonly string[];
}

/** Asked before the operation, since nobody finds a user that was deleted. */
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

/** Of a token that the provider judges. */
function readTokenUser(token: string | undefined): UserSnapshot | undefined {
  const sub = readUnverifiedClaims(token)?.sub;
  return typeof sub === 'string' ? { sub, factors: [] } : undefined;
}

/** Undefined where the provider finds nobody: it says so itself in a moment. */
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
