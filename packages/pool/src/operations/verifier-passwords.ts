import { ProviderError, type VerifierPasswords } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import { candidateOf } from '../domain/masking.ts';
import { canonicalName } from '../domain/names.ts';
import { requireVerifiers, verifierPassword } from '../domain/new-password.ts';
import { clientAndPool, type PoolAndClient } from '../domain/pools.ts';
import { missingParameter } from '../domain/refusals.ts';
import { isReservedIdentity, reserveIdentity } from '../domain/reserved-identities.ts';
import { findUser } from '../domain/users.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import { requireAccess } from '../tokens/access.ts';
import { confirmForgotPassword } from './forgot-password.ts';
import { setOwnPassword } from './own-account.ts';
import { signUp } from './sign-up.ts';

const SALT_BYTES = 16;

type Input<Name extends keyof VerifierPasswords> = Parameters<VerifierPasswords[Name]>[0];

/** Passwords that are set without being sent. */
export function verifierPasswords(runtime: PoolRuntime): VerifierPasswords {
  return {
    start: (input, call) => start(duringCall(runtime, call), input),
    signUp: (input, call) => signUpWithVerifier(duringCall(runtime, call), input),
    async confirmForgotPassword(input, call) {
      const context = duringCall(runtime, call);
      const owner = await clientAndPool(context, input.ClientId);
      const password = verifierPassword(context, owner.pool, input.PasswordVerifier);
      return confirmForgotPassword(context, owner, input, password);
    },
    async changePassword(input, call) {
      const context = duringCall(runtime, call);
      const access = await requireAccess(context, input.AccessToken);
      const password = verifierPassword(context, access.pool, input.PasswordVerifier);
      const found = await findUser(context, access.pool, access.user.username);
      await setOwnPassword(context, access, password, { before: found?.credential, isRight: true });
    },
  };
}

/** The salt is fresh in any case. Who has a name already, or might have it, is who a login with that name would show. */
async function start(
  context: PoolRuntime,
  { ClientId, Username }: Input<'start'>,
): ReturnType<VerifierPasswords['start']> {
  const owner = await clientAndPool(context, ClientId);
  const { pool } = owner;
  requireVerifiers(pool);
  const SaltHex = hexFromInteger(integerFromBytes(context.random(SALT_BYTES)));
  if (Username === undefined) return { UserIdForSrp: newIdentityOf(context, owner), SaltHex };
  const found = await findUser(context, pool, Username);
  return { UserIdForSrp: candidateOf(context, pool, Username, found).userId, SaltHex };
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
  const owner = await clientAndPool(context, input.ClientId);
  const password = verifierPassword(context, owner.pool, PasswordVerifier);
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
