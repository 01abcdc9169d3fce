import { type LinkOutcome, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import { SUBJECT_ATTRIBUTE } from '../identity/federated-identities.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import { type FederationPorts, type ProviderAnswer, proveAccount, readSubject } from './federated-sign-in.ts';
import { linkIdentity } from './link-identity.ts';

/** The dependencies of linking an account. */
export type LinkAccountPorts = AccessTokenPorts & FederationPorts & DeliveryPorts & NotificationPorts;

/**
 * Connects the account in a provider's response to the signed-in user who started this.
 * @returns undefined if the attempt is unknown, has expired, was finished, or belongs to another user
 * @throws {OAuthError} the provider refused, or its answer is not valid
 */
export async function linkFederatedAccount(
  ports: LinkAccountPorts,
  input: ProviderAnswer & { readonly AccessToken: string },
): Promise<LinkOutcome | undefined> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool } = access;
  const proven = pool.id === input.UserPoolId ? await proveAccount(ports, input, 'link') : undefined;
  if (proven === undefined || proven.signIn.return.SignedInUser?.Sub !== access.user.sub) return undefined;
  const { provider, account } = proven;
  const key = { providerName: provider.name, attribute: SUBJECT_ATTRIBUTE, value: readSubject(provider, account) };
  try {
    await ports.store.write(async (transaction) => {
      const { user } = await lockAuthorizedUser(transaction, access);
      await linkIdentity(ports, transaction, { pool, user, key });
      await queueFactorNotice(ports, transaction, pool, user, ['identity_added']);
    });
    await deliverAfterCommit(ports);
    return 'linked';
  } catch (error) {
    return toOutcome(error);
  }
}

/** @throws any error that does not refuse the link */
function toOutcome(error: unknown): LinkOutcome {
  if (isConflictError(error)) return 'in_use';
  if (!(error instanceof ProviderError)) throw error;
  if (error.code === 'InvalidParameterException') return 'in_use';
  if (error.code === 'LimitExceededException') return 'too_many';
  throw error;
}
