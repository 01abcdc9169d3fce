import { type PasswordBlocklist, type PasswordVerifierOperations, ProviderError } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import { missingParameterError } from '../identity/login-errors.ts';
import { findUser } from '../identity/user-records.ts';
import type { CallPort, ClockPort, MacPorts, RandomPort, StoreReads } from '../kernel/ports.ts';
import { listSourceNetworks } from '../kernel/source-network.ts';
import { listCommonPasswordSuffixes } from '../proofs/passwords/common-passwords.ts';
import {
  createVerifierPassword,
  refusesCommonPasswords,
  requireVerifierPasswords,
} from '../proofs/passwords/new-password.ts';
import type { DecoyPorts, LeakedPasswordLookupPort } from '../proofs/passwords/password-ports.ts';
import { confirmForgotPassword } from '../recovery/confirm-forgot-password.ts';
import type { SignUpPorts } from '../registrations/registration-ports.ts';
import { signUp } from '../registrations/sign-up.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolRecord } from '../store/records.ts';
import { requireAccessToken } from '../tokens/access-tokens.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import { isReservedUsername, reserveUsername } from '../users/reserved-usernames.ts';
import { setOwnPassword } from '../users/set-own-password.ts';
import { createLoginAfterReset } from './forgot-password-operations.ts';
import type { ExtensionFunctions } from './operation-table.ts';

const SALT_BYTES = 16;

type Input<Name extends keyof PasswordVerifierOperations> = Parameters<PasswordVerifierOperations[Name]>[0];

/** Passwords that are set without being sent. */
export const verifierPasswordExtension: ExtensionFunctions<'verifier_passwords'> = {
  start: startVerifierPassword,
  async range(ports, { ClientId, List, Prefix }) {
    const { pool } = await requireClientAndPool(ports, ClientId);
    requireVerifierPasswords(pool);
    return { Suffixes: await listRefusedPasswordSuffixes(ports, pool, List, Prefix) };
  },
  signUp: signUpWithVerifier,
  async confirmForgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const password = createVerifierPassword(ports, owner.pool, input.PasswordVerifier);
    return createLoginAfterReset(ports, owner, await confirmForgotPassword(ports, owner, input, password));
  },
  async changePassword(ports, input) {
    const access = await requireAccessToken(ports, input.AccessToken);
    const password = createVerifierPassword(ports, access.pool, input.PasswordVerifier);
    const found = await findUser(ports, access.pool, access.user.username);
    await setOwnPassword(ports, access, password, { oldCredential: found?.credential, isRight: true });
  },
};

async function listRefusedPasswordSuffixes(
  ports: CallPort & LeakedPasswordLookupPort,
  pool: PoolRecord,
  list: PasswordBlocklist,
  prefix: string,
): Promise<readonly string[]> {
  if (list === 'common' && refusesCommonPasswords(pool)) return listCommonPasswordSuffixes(prefix);
  const { leakedRange, call } = ports;
  if (list === 'leaked' && leakedRange) return leakedRange(prefix, listSourceNetworks(call.sourceAddress));
  throw new ProviderError('UnsupportedOperationException', `The user pool does not refuse ${list} passwords.`, {
    reason: 'flow_disabled',
  });
}

/** The salt is always new. A name that exists, or might exist, gets the identity that a login would show. */
async function startVerifierPassword(
  ports: DecoyPorts & SettingsPorts & StoreReads<'users'>,
  { ClientId, Username }: Input<'start'>,
): ReturnType<PasswordVerifierOperations['start']> {
  const owner = await requireClientAndPool(ports, ClientId);
  const { pool } = owner;
  requireVerifierPasswords(pool);
  const SaltHex = hexFromInteger(integerFromBytes(ports.random(SALT_BYTES)));
  if (Username === undefined) return { UserIdForSrp: reserveSrpIdentity(ports, owner), SaltHex };
  const found = await findUser(ports, pool, Username);
  return { UserIdForSrp: createLoginCandidate(ports, pool, Username, found).userId, SaltHex };
}

/** @throws {ProviderError} `InvalidParameterException`: in this pool, users choose the name that is their identity */
function reserveSrpIdentity(ports: MacPorts & ClockPort & RandomPort, owner: PoolAndClient): string {
  if (owner.pool.settings.usernameAttributes.length === 0) throw missingParameterError('Username');
  return reserveUsername(ports, owner);
}

async function signUpWithVerifier(
  ports: SignUpPorts & SettingsPorts,
  { UserIdForSrp, PasswordVerifier, ...input }: Input<'signUp'>,
): ReturnType<PasswordVerifierOperations['signUp']> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  const password = createVerifierPassword(ports, owner.pool, PasswordVerifier);
  if (!isUsableSrpIdentity(ports, owner, input.Username, UserIdForSrp)) {
    throw new ProviderError('InvalidParameterException', 'Invalid UserIdForSrp given.');
  }
  return signUp(ports, owner, { ...input, password, identity: UserIdForSrp });
}

/** A username is part of the verifier, so the user must have it. */
function isUsableSrpIdentity(
  ports: MacPorts & ClockPort,
  owner: PoolAndClient,
  typedName: string,
  identity: string,
): boolean {
  const { settings } = owner.pool;
  if (settings.usernameAttributes.length === 0) return toCanonicalName(settings, typedName) === identity;
  return isReservedUsername(ports, owner, identity);
}
