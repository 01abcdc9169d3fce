import { type ConnectedIdentity, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import {
  countUsableIdentities,
  SUBJECT_ATTRIBUTE,
  toIdentityId,
  updateIdentitiesAttribute,
} from '../identity/federated-identities.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import { lockUserFactors } from '../proofs/totp/totp-enrolment.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type {
  FederatedIdentityRecord,
  IdentityProviderRecord,
  PoolRecord,
  UserWithCredential,
} from '../store/records.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { revokeOtherLogins } from '../tokens/revoke-other-logins.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import { canSignInLocally } from './local-sign-in.ts';

/** Lists the accounts at other providers with which a user can sign in. */
export async function listOwnIdentities(
  ports: OwnAccountPorts,
  { AccessToken }: { readonly AccessToken: string },
): Promise<readonly ConnectedIdentity[]> {
  const { pool, user } = await requireAccessToken(ports, AccessToken);
  const providers = await ports.store.identityProviders.listOf(pool.id);
  const identities = await ports.store.federatedIdentities.listOf(pool.id, user.username);
  return identities
    .filter(({ attribute }) => attribute === SUBJECT_ATTRIBUTE)
    .map((identity) => toConnectedIdentity(identity, providers));
}

function toConnectedIdentity(
  identity: FederatedIdentityRecord,
  providers: readonly IdentityProviderRecord[],
): ConnectedIdentity {
  const { providerName, createdAtMs, isPrimary } = identity;
  return {
    Id: toIdentityId(identity),
    ProviderName: providerName,
    ProviderType: providers.find(({ name }) => name === providerName)?.settings.type ?? 'OIDC',
    ConnectedAt: createdAtMs / 1000,
    IsPrimary: isPrimary,
  };
}

/** Disconnects an account at another provider from its user, who must keep a way to sign in. */
export async function removeOwnIdentity(
  ports: OwnAccountPorts,
  { AccessToken, Id }: { readonly AccessToken: string; readonly Id: string },
): Promise<{ readonly OwnEnded: boolean }> {
  const access = await requireAccessToken(ports, AccessToken);
  const { pool, loginId } = access;
  const ended = await ports.store.write(async (transaction) => {
    const nowMs = ports.clock.now();
    await lockUserFactors(transaction, pool, access.user.username, nowMs);
    const found = await lockAuthorizedUser(transaction, access);
    const identity = await takeIdentity(transaction, pool, found, Id);
    if (!(await canSignInOtherwise(ports, transaction, pool, found))) throw lastWayInError();
    const user = await updateIdentitiesAttribute(transaction, pool, found.user, nowMs);
    const details = { attributes: 'identities', identity_provider: identity.providerName };
    await recordEvent(ports, transaction, { type: 'user.updated', pool, user, details });
    await queueFactorNotice(ports, transaction, pool, user, ['identity_removed']);
    // Logins do not record how they began, so the account may have opened any of them.
    return revokeOtherLogins(transaction, { user, loginId, nowMs });
  });
  await deliverAfterCommit(ports);
  return { OwnEnded: ended === undefined };
}

/** Deletes an identity. A user's first account gives the user its name, so no other user could have that account later. */
async function takeIdentity(
  transaction: PoolTransaction,
  { id: poolId }: PoolRecord,
  { user: { username } }: UserWithCredential,
  id: string,
): Promise<FederatedIdentityRecord> {
  const identities = await transaction.federatedIdentities.listOf(poolId, username);
  const identity = identities.find((one) => one.attribute === SUBJECT_ATTRIBUTE && toIdentityId(one) === id);
  if (identity === undefined) {
    throw new ProviderError('ResourceNotFoundException', 'The user has no such account.', {
      reason: 'identity_not_found',
    });
  }
  if (identity.isPrimary) throw lastWayInError();
  await transaction.federatedIdentities.delete(poolId, identity);
  return identity;
}

/** Whether a user can sign in with what is left: at the pool itself, or with another account. */
async function canSignInOtherwise(
  ports: Pick<OwnAccountPorts, 'senders'>,
  transaction: PoolTransaction,
  pool: PoolRecord,
  found: UserWithCredential,
): Promise<boolean> {
  if ((await countUsableIdentities(transaction, pool, found.user.username)) > 0) return true;
  return canSignInLocally(ports, transaction, pool, found);
}

function lastWayInError(): ProviderError {
  return new ProviderError('InvalidParameterException', 'The user could not sign in without this account.', {
    reason: 'last_way_in',
  });
}
