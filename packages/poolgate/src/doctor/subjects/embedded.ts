import type { CallContext } from '@poolgate/provider';
import { inspectStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Container } from '../../container.ts';
import { openContainer, setUpPool } from '../../container.ts';
import { checkContacts } from '../contacts.ts';
import { type Finding, failed, ok, warn } from '../finding.ts';
import { checkSenders } from '../senders.ts';
import { checkTriggers } from '../triggers.ts';
import type { CheckedProvider, CheckUpContext } from './subject.ts';

/** Looks at the embedded pool, in this process and on the store of the service. */
export async function openEmbeddedPool(context: CheckUpContext): Promise<CheckedProvider | Finding> {
  // To open it would make it, or change its schema.
  if (!(await isReady(context))) {
    return warn('The embedded pool was not looked at: see the store.', 'Start the service once, then ask again.');
  }
  const container = await openContainer(context.configuration, context, () => {}, context.hooks);
  try {
    const served = await setUpPool(container);
    return {
      ...served,
      provider: container.backend.provider,
      endpoint: undefined,
      jwksUrl: undefined,
      checkSettings: () => settingsFindings(container, served.userPoolId),
      checkTriggers: () => checkTriggers(container),
      checkMessages: () => checkSenders(context),
      checkAdministration: () => adminKeys(container),
      close: () => container.close(),
    };
  } catch (error) {
    await container.close();
    throw error;
  }
}

const CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1', actor: { kind: 'operator', id: null } };

async function settingsFindings({ backend }: Container, userPoolId: string): Promise<readonly Finding[]> {
  const { UserPool = {} } = await backend.provider.operations.describeUserPool({ UserPoolId: userPoolId }, CALL);
  return [ok('The settings of the embedded pool are those of the configuration.'), ...checkContacts(UserPool)];
}

async function isReady({ configuration: { settings } }: CheckUpContext): Promise<boolean> {
  try {
    const { exists, pending } = await inspectStore(settings.databaseUrl);
    return exists && pending.length === 0;
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) return false;
    throw error;
  }
}

const MAKE_ONE = 'Make one with the rights that it needs: poolgate admin-key create <label> --scope users:read';

async function adminKeys({ records, keyRing, clock, adminKeys: inMemory }: Container): Promise<readonly Finding[]> {
  const nowMs = clock.now();
  const kept = await records.adminKeys.list();
  const good = kept.filter(({ revokedAtMs, expiresAtMs }) => revokedAtMs === null && expiresAtMs > nowMs);
  const count = good.length + inMemory.length;
  const foreign = good.filter(({ signingSecretEncrypted }) => keyRing.encryptedBy(signingSecretEncrypted) !== 'known');
  return [
    count === 0 ? warn('There is no admin key: nobody can administer users.', MAKE_ONE) : ok(`Admin keys: ${count}.`),
    ...foreign.map(({ id }) =>
      failed(
        `The admin key ${id} was encrypted with a secret that is not in POOLGATE_SECRET: it signs nothing.`,
        `Replace it: poolgate admin-key rotate ${id}`,
      ),
    ),
  ];
}
