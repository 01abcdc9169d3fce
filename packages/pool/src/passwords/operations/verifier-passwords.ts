import { ProviderError, type RefusedPasswordList, type VerifierPasswords } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import { sourceNetworks } from '../../messages/source-network.ts';
import type { ExtensionFunctions } from '../../operation-table.ts';
import { type PoolAndClient, requireClientAndPool } from '../../pools/pools.ts';
import { signUp } from '../../registrations/sign-up.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { missingParameter } from '../../shared/login-errors.ts';
import type { PoolRecord } from '../../store/records.ts';
import { requireAccessToken } from '../../tokens/access.ts';
import { loginCandidate } from '../../users/login-candidate.ts';
import { setOwnPassword } from '../../users/own-password.ts';
import { isReservedIdentity, reserveIdentity } from '../../users/reserved-identities.ts';
import { canonicalName } from '../../users/sign-in-names.ts';
import { findUser } from '../../users/users.ts';
import { commonSuffixes } from '../common-passwords.ts';
import { confirmForgotPassword } from '../confirm-forgot-password.ts';
import { newVerifierPassword, refusesCommon, requireVerifiers } from '../new-password.ts';

const SALT_BYTES = 16;

type Input<Name extends keyof VerifierPasswords> = Parameters<VerifierPasswords[Name]>[0];

/** Passwords that are set without being sent. */
export const verifierPasswords: ExtensionFunctions<'verifier_passwords'> = {
  start,
  async range(context, { ClientId, List, Prefix }) {
    const { pool } = await requireClientAndPool(context, ClientId);
    requireVerifiers(pool);
    return { Suffixes: await suffixesOf(context, pool, List, Prefix) };
  },
  signUp: signUpWithVerifier,
  async confirmForgotPassword(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    const password = newVerifierPassword(context, owner.pool, input.PasswordVerifier);
    return confirmForgotPassword(context, owner, input, password);
  },
  async changePassword(context, input) {
    const access = await requireAccessToken(context, input.AccessToken);
    const password = newVerifierPassword(context, access.pool, input.PasswordVerifier);
    const found = await findUser(context, access.pool, access.user.username);
    await setOwnPassword(context, access, password, { before: found?.credential, isRight: true });
  },
};

async function suffixesOf(
  context: PoolRuntime,
  pool: PoolRecord,
  list: RefusedPasswordList,
  prefix: string,
): Promise<readonly string[]> {
  if (list === 'common' && refusesCommon(pool)) return commonSuffixes(prefix);
  const { leakedRange, call } = context;
  if (list === 'leaked' && leakedRange) return leakedRange(prefix, sourceNetworks(call.sourceAddress));
  throw new ProviderError('UnsupportedOperationException', `The user pool does not refuse ${list} passwords.`, {
    reason: 'flow_disabled',
  });
}

/** The salt is fresh in any case. Who has a name already, or might have it, is who a login with that name would show. */
async function start(
  context: PoolRuntime,
  { ClientId, Username }: Input<'start'>,
): ReturnType<VerifierPasswords['start']> {
  const owner = await requireClientAndPool(context, ClientId);
  const { pool } = owner;
  requireVerifiers(pool);
  const SaltHex = hexFromInteger(integerFromBytes(context.random(SALT_BYTES)));
  if (Username === undefined) return { UserIdForSrp: newIdentityOf(context, owner), SaltHex };
  const found = await findUser(context, pool, Username);
  return { UserIdForSrp: loginCandidate(context, pool, Username, found).userId, SaltHex };
}

/** @throws {ProviderError} `InvalidParameterException`: here users choose the name that is their identity */
function newIdentityOf(context: PoolRuntime, owner: PoolAndClient): string {
  if (owner.pool.settings.usernameAttributes.length === 0) throw missingParameter('Username');
  return reserveIdentity(context, owner);
}

async function signUpWithVerifier(
  context: PoolRuntime,
  { UserIdForSrp, PasswordVerifier, ...input }: Input<'signUp'>,
): ReturnType<VerifierPasswords['signUp']> {
  const owner = await requireClientAndPool(context, input.ClientId);
  const password = newVerifierPassword(context, owner.pool, PasswordVerifier);
  if (!isIdentityOf(context, owner, input.Username, UserIdForSrp)) {
    throw new ProviderError('InvalidParameterException', 'Invalid UserIdForSrp given.');
  }
  return signUp(context, owner, { ...input, password, identity: UserIdForSrp });
}

/** A user name is part of the verifier: it must be one that this user will have. */
function isIdentityOf(context: PoolRuntime, owner: PoolAndClient, typedName: string, identity: string): boolean {
  const { settings } = owner.pool;
  if (settings.usernameAttributes.length === 0) return canonicalName(settings, typedName) === identity;
  return isReservedIdentity(context, owner, identity);
}
