import { ProviderError, type RefusedPasswordList, type VerifierPasswords } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import type { CallPort, ClockPort, MacPorts, RandomPort, StoreReads } from '../../kernel/ports.ts';
import { sourceNetworks } from '../../messages/source-network.ts';
import type { ExtensionFunctions } from '../../operation-table.ts';
import { type PoolAndClient, requireClientAndPool } from '../../pools/pools.ts';
import type { SettingsPorts } from '../../pools/settings-ports.ts';
import type { SignUpPorts } from '../../registrations/registration-ports.ts';
import { signUp } from '../../registrations/sign-up.ts';
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
import type { DecoyPorts, LeakedRangePort } from '../password-ports.ts';

const SALT_BYTES = 16;

type Input<Name extends keyof VerifierPasswords> = Parameters<VerifierPasswords[Name]>[0];

/** Passwords that are set without being sent. */
export const verifierPasswords: ExtensionFunctions<'verifier_passwords'> = {
  start,
  async range(ports, { ClientId, List, Prefix }) {
    const { pool } = await requireClientAndPool(ports, ClientId);
    requireVerifiers(pool);
    return { Suffixes: await suffixesOf(ports, pool, List, Prefix) };
  },
  signUp: signUpWithVerifier,
  async confirmForgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const password = newVerifierPassword(ports, owner.pool, input.PasswordVerifier);
    return confirmForgotPassword(ports, owner, input, password);
  },
  async changePassword(ports, input) {
    const access = await requireAccessToken(ports, input.AccessToken);
    const password = newVerifierPassword(ports, access.pool, input.PasswordVerifier);
    const found = await findUser(ports, access.pool, access.user.username);
    await setOwnPassword(ports, access, password, { before: found?.credential, isRight: true });
  },
};

async function suffixesOf(
  ports: CallPort & LeakedRangePort,
  pool: PoolRecord,
  list: RefusedPasswordList,
  prefix: string,
): Promise<readonly string[]> {
  if (list === 'common' && refusesCommon(pool)) return commonSuffixes(prefix);
  const { leakedRange, call } = ports;
  if (list === 'leaked' && leakedRange) return leakedRange(prefix, sourceNetworks(call.sourceAddress));
  throw new ProviderError('UnsupportedOperationException', `The user pool does not refuse ${list} passwords.`, {
    reason: 'flow_disabled',
  });
}

/** The salt is fresh in any case. Who has a name already, or might have it, is who a login with that name would show. */
async function start(
  ports: DecoyPorts & SettingsPorts & StoreReads<'users'>,
  { ClientId, Username }: Input<'start'>,
): ReturnType<VerifierPasswords['start']> {
  const owner = await requireClientAndPool(ports, ClientId);
  const { pool } = owner;
  requireVerifiers(pool);
  const SaltHex = hexFromInteger(integerFromBytes(ports.random(SALT_BYTES)));
  if (Username === undefined) return { UserIdForSrp: newIdentityOf(ports, owner), SaltHex };
  const found = await findUser(ports, pool, Username);
  return { UserIdForSrp: loginCandidate(ports, pool, Username, found).userId, SaltHex };
}

/** @throws {ProviderError} `InvalidParameterException`: here users choose the name that is their identity */
function newIdentityOf(ports: MacPorts & ClockPort & RandomPort, owner: PoolAndClient): string {
  if (owner.pool.settings.usernameAttributes.length === 0) throw missingParameter('Username');
  return reserveIdentity(ports, owner);
}

async function signUpWithVerifier(
  ports: SignUpPorts & SettingsPorts,
  { UserIdForSrp, PasswordVerifier, ...input }: Input<'signUp'>,
): ReturnType<VerifierPasswords['signUp']> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  const password = newVerifierPassword(ports, owner.pool, PasswordVerifier);
  if (!isIdentityOf(ports, owner, input.Username, UserIdForSrp)) {
    throw new ProviderError('InvalidParameterException', 'Invalid UserIdForSrp given.');
  }
  return signUp(ports, owner, { ...input, password, identity: UserIdForSrp });
}

/** A user name is part of the verifier: it must be one that this user will have. */
function isIdentityOf(ports: MacPorts & ClockPort, owner: PoolAndClient, typedName: string, identity: string): boolean {
  const { settings } = owner.pool;
  if (settings.usernameAttributes.length === 0) return canonicalName(settings, typedName) === identity;
  return isReservedIdentity(ports, owner, identity);
}
