import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import type { ClockPort, KeyRingPort, RandomPort, StorePort } from '../kernel/ports.ts';
import {
  type PendingMfaSetup,
  renewPendingMfaSetup,
  requirePendingMfaSetup,
  reservePendingMfaSetup,
  spendPendingMfaSetup,
} from '../login/pending-mfa-setup.ts';
import { checkFriendlyName } from '../proofs/passkeys/friendly-names.ts';
import { DEFAULT_AUTHENTICATOR_NAME } from '../proofs/totp/totp.ts';
import {
  finishTotpEnrolment,
  lockUserFactors,
  requireTotpOffered,
  startTotpEnrolment,
  type TotpEnrolmentProof,
} from '../proofs/totp/totp-enrolment.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import { type AuthorizedUser, lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import type { OperationTable } from './operation-table.ts';

/**
 * Operations that enroll an authenticator: for a signed-in user, or within a login that requires it.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
export const softwareTokenOperations: OperationTable<'associateSoftwareToken' | 'verifySoftwareToken'> = {
  associateSoftwareToken,
  verifySoftwareToken,
};

async function associateSoftwareToken(
  ports: AccessTokenPorts & RandomPort & KeyRingPort & StorePort,
  input: Input<'AssociateSoftwareToken'>,
): Promise<Output<'AssociateSoftwareToken'>> {
  const session = requireOneCredential(input);
  if (session !== undefined) return associateInLogin(ports, await requirePendingMfaSetup(ports, session));
  const access = await requireAccessToken(ports, input.AccessToken ?? '');
  const { pool, user } = access;
  requireTotpOffered(pool);
  const enrolment = startTotpEnrolment(ports, pool, user.username);
  await writeWithAccess(ports, access, enrolment.write);
  return { SecretCode: enrolment.secretCode };
}

async function associateInLogin(
  ports: ClockPort & RandomPort & KeyRingPort & StorePort,
  setup: PendingMfaSetup,
): Promise<Output<'AssociateSoftwareToken'>> {
  requireTotpOffered(setup.pool);
  const enrolment = startTotpEnrolment(ports, setup.pool, setup.user.username);
  await writeWithinLogin(ports, setup, async (transaction) => {
    await enrolment.write(transaction);
    return undefined;
  });
  return { SecretCode: enrolment.secretCode, Session: renewPendingMfaSetup(ports, setup, { totpProven: false }) };
}

/** The turn comes before the user, as wherever both are held. */
function writeWithAccess<Outcome>(
  ports: ClockPort & StorePort,
  access: AuthorizedUser,
  work: (transaction: PoolTransaction) => Promise<Outcome>,
): Promise<Outcome> {
  return ports.store.write(async (transaction) => {
    await lockUserFactors(transaction, access.pool, access.user.username, ports.clock.now());
    await lockAuthorizedUser(transaction, access);
    return work(transaction);
  });
}

async function verifySoftwareToken(
  ports: OwnAccountPorts,
  input: Input<'VerifySoftwareToken'>,
): Promise<Output<'VerifySoftwareToken'>> {
  const name = input.FriendlyDeviceName || DEFAULT_AUTHENTICATOR_NAME;
  checkFriendlyName('friendlyDeviceName', name);
  const typed = { code: input.UserCode, name, nowMs: ports.clock.now() };
  const session = requireOneCredential(input);
  if (session !== undefined) return verifyInLogin(ports, await requirePendingMfaSetup(ports, session), typed);
  const access = await requireAccessToken(ports, input.AccessToken ?? '');
  const { pool, client, user } = access;
  requireTotpOffered(pool);
  const proof = { ...typed, pool, client, user, mayReplace: true };
  const refusal = await writeWithAccess(ports, access, (transaction) => finishTotpEnrolment(ports, transaction, proof));
  if (refusal !== undefined) throw refusal;
  await deliverAfterCommit(ports);
  return { Status: 'SUCCESS' };
}

async function verifyInLogin(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  setup: PendingMfaSetup,
  typed: Pick<TotpEnrolmentProof, 'code' | 'name' | 'nowMs'>,
): Promise<Output<'VerifySoftwareToken'>> {
  requireTotpOffered(setup.pool);
  const { pool, client, user } = setup;
  const proof = { ...typed, pool, client, user, mayReplace: false };
  await writeWithinLogin(ports, setup, (transaction) => finishTotpEnrolment(ports, transaction, proof));
  await deliverAfterCommit(ports);
  return { Status: 'SUCCESS', Session: renewPendingMfaSetup(ports, setup, { totpProven: true }) };
}

/** A step inside a login takes its session; one that is refused leaves it for another try. */
async function writeWithinLogin(
  ports: ClockPort & StorePort,
  setup: PendingMfaSetup,
  work: (transaction: PoolTransaction) => Promise<ProviderError | undefined>,
): Promise<void> {
  const refusal = await ports.store.write(
    async (transaction) =>
      (await reservePendingMfaSetup(ports, transaction, setup)) ??
      (await work(transaction)) ??
      (await spendPendingMfaSetup(transaction, setup)),
  );
  if (refusal !== undefined) throw refusal;
}

/** @throws {ProviderError} `InvalidParameterException`: neither a token nor a session, or both */
function requireOneCredential({ AccessToken, Session }: Input<'AssociateSoftwareToken'>): string | undefined {
  if ((AccessToken === undefined) !== (Session === undefined)) return Session;
  throw new ProviderError('InvalidParameterException', 'Either AccessToken or Session must be provided.');
}
