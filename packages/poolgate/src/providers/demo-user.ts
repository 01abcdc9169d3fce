import { hkdfSync } from 'node:crypto';
import type { CallContext, IdentityProvider } from '@poolgate/provider';
import { ProviderError } from '@poolgate/provider';
import { hashPassword, matchesVerifier } from '@poolgate/srp';
import type { BackendDeps } from './backend.ts';

/**
 * The user of a development start. The password is public, so production rejects a store with this user. If other hosts can reach a
 * development start, it uses another password.
 */
export const DEMO_USER = { email: 'demo@poolgate.test', password: 'Demo-Passw0rd!' } as const;

/** The service's start as a caller of the provider. */
const START_CALL: CallContext = {
  requestId: 'start',
  sourceAddress: '127.0.0.1',
  actor: { kind: 'system', id: null },
};

type Operations = IdentityProvider['operations'];

/** Returns the state of the demo user, or undefined if it does not exist. */
export async function findDemoUserStatus(operations: Operations, userPoolId: string): Promise<string | undefined> {
  try {
    const found = await operations.adminGetUser({ UserPoolId: userPoolId, Username: DEMO_USER.email }, START_CALL);
    return found.UserStatus;
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'UserNotFoundException') return undefined;
    throw error;
  }
}

/** Derives a password of the demo user that only the owner of the secret can know. It is the same at every start, so nothing is stored. */
export function deriveDemoPassword(secret: string): string {
  const bytes = hkdfSync('sha256', secret, 'poolgate', 'demo password', 15);
  return `Demo-1${Buffer.from(bytes).toString('base64url')}`;
}

/** Whether the demo user has this password. This reads the store: it tries no login and counts nothing. */
export async function hasDemoPassword(
  { store, keyRing, engine }: Pick<BackendDeps, 'store' | 'keyRing' | 'engine'>,
  userPoolId: string,
  password: string,
): Promise<boolean> {
  const credential = (await store.users.byName(userPoolId, DEMO_USER.email))?.credential;
  if (credential === undefined) return false;
  const { username, saltHex, verifierEncrypted } = credential;
  const verifier = keyRing.decrypt('verifier', verifierEncrypted, `${userPoolId}/${username}`);
  if (verifier === undefined) return false;
  const identity = { poolName: userPoolId.slice(userPoolId.indexOf('_') + 1), userIdForSrp: username };
  return matchesVerifier({ engine, saltHex, verifier, passwordHash: hashPassword(engine, identity, password) });
}

/** Sets a permanent password of the demo user. */
export async function setDemoPassword(operations: Operations, userPoolId: string, password: string): Promise<void> {
  const user = { UserPoolId: userPoolId, Username: DEMO_USER.email };
  await operations.adminSetUserPassword({ ...user, Password: password, Permanent: true }, START_CALL);
}

/** Creates the demo user, or finishes creating it after an interrupted start. Concurrent starts are safe. */
export async function createDemoUser(operations: Operations, userPoolId: string, password: string): Promise<void> {
  const { email } = DEMO_USER;
  const user = { UserPoolId: userPoolId, Username: email };
  try {
    await operations.adminCreateUser(
      {
        ...user,
        TemporaryPassword: password,
        MessageAction: 'SUPPRESS',
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
          { Name: 'name', Value: 'Demo' },
        ],
      },
      START_CALL,
    );
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === 'UsernameExistsException')) throw error;
  }
  await setDemoPassword(operations, userPoolId, password);
}
