import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { type MfaSetup, openMfaSetup, renewMfaSetup, reserveMfaSetup, spendMfaSetup } from '../auth/mfa-setup.ts';
import {
  beginEnrolment,
  type EnrolmentProof,
  finishEnrolment,
  requireTotpOffered,
  takeFactorsTurn,
} from '../domain/enrolment.ts';
import { checkFriendlyName } from '../domain/friendly-names.ts';
import { DEFAULT_AUTHENTICATOR_NAME } from '../domain/totp.ts';
import { afterCommit } from '../messages/deliver.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import { type Access, claimAccess, requireAccess } from '../tokens/access.ts';

/**
 * The operations by which an authenticator is enrolled: by a user who is logged in, or inside a login that waits for it.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
export function softwareTokenOperations(
  context: PoolRuntime,
): Pick<ProviderOperations, 'associateSoftwareToken' | 'verifySoftwareToken'> {
  return {
    associateSoftwareToken: (input) => associateSoftwareToken(context, input),
    verifySoftwareToken: (input, call) => verifySoftwareToken(duringCall(context, call), input),
  };
}

async function associateSoftwareToken(
  context: PoolRuntime,
  input: Input<'AssociateSoftwareToken'>,
): Promise<Output<'AssociateSoftwareToken'>> {
  const sealed = sessionOf(input);
  if (sealed !== undefined) return associateInLogin(context, await openMfaSetup(context, sealed));
  const access = await requireAccess(context, input.AccessToken ?? '');
  const { pool, user } = access;
  requireTotpOffered(pool);
  const enrolment = beginEnrolment(context, pool, user.username);
  await withAccess(context, access, enrolment.write);
  return { SecretCode: enrolment.secretCode };
}

async function associateInLogin(context: PoolRuntime, setup: MfaSetup): Promise<Output<'AssociateSoftwareToken'>> {
  requireTotpOffered(setup.pool);
  const enrolment = beginEnrolment(context, setup.pool, setup.user.username);
  await inLogin(context, setup, async (transaction) => {
    await enrolment.write(transaction);
    return undefined;
  });
  return { SecretCode: enrolment.secretCode, Session: renewMfaSetup(context, setup, { totpProven: false }) };
}

/** The turn comes before the user, as wherever both are held. */
function withAccess<Outcome>(
  context: PoolRuntime,
  access: Access,
  work: (transaction: PoolTransaction) => Promise<Outcome>,
): Promise<Outcome> {
  return context.store.write(async (transaction) => {
    await takeFactorsTurn(transaction, access.pool, access.user.username, context.clock.now());
    await claimAccess(transaction, access);
    return work(transaction);
  });
}

async function verifySoftwareToken(
  context: PoolRuntime,
  input: Input<'VerifySoftwareToken'>,
): Promise<Output<'VerifySoftwareToken'>> {
  const name = input.FriendlyDeviceName || DEFAULT_AUTHENTICATOR_NAME;
  checkFriendlyName('friendlyDeviceName', name);
  const typed = { code: input.UserCode, name, nowMs: context.clock.now() };
  const sealed = sessionOf(input);
  if (sealed !== undefined) return verifyInLogin(context, await openMfaSetup(context, sealed), typed);
  const access = await requireAccess(context, input.AccessToken ?? '');
  const { pool, client, user } = access;
  requireTotpOffered(pool);
  const proof = { ...typed, pool, client, user, mayReplace: true };
  const refusal = await withAccess(context, access, (transaction) => finishEnrolment(context, transaction, proof));
  if (refusal !== undefined) throw refusal;
  await afterCommit(context);
  return { Status: 'SUCCESS' };
}

async function verifyInLogin(
  context: PoolRuntime,
  setup: MfaSetup,
  typed: Pick<EnrolmentProof, 'code' | 'name' | 'nowMs'>,
): Promise<Output<'VerifySoftwareToken'>> {
  requireTotpOffered(setup.pool);
  const { pool, client, user } = setup;
  const proof = { ...typed, pool, client, user, mayReplace: false };
  await inLogin(context, setup, (transaction) => finishEnrolment(context, transaction, proof));
  await afterCommit(context);
  return { Status: 'SUCCESS', Session: renewMfaSetup(context, setup, { totpProven: true }) };
}

/** A step inside a login takes its session; one that is refused leaves it for another try. */
async function inLogin(
  context: PoolRuntime,
  setup: MfaSetup,
  work: (transaction: PoolTransaction) => Promise<ProviderError | undefined>,
): Promise<void> {
  const refusal = await context.store.write(
    async (transaction) =>
      (await reserveMfaSetup(context, transaction, setup)) ??
      (await work(transaction)) ??
      (await spendMfaSetup(transaction, setup)),
  );
  if (refusal !== undefined) throw refusal;
}

/** @throws {ProviderError} `InvalidParameterException`: neither a token nor a session, or both */
function sessionOf({ AccessToken, Session }: Input<'AssociateSoftwareToken'>): string | undefined {
  if ((AccessToken === undefined) !== (Session === undefined)) return Session;
  throw new ProviderError('InvalidParameterException', 'Either AccessToken or Session must be provided.');
}
