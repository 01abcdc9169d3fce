import type { CallContext } from '@poolgate/provider';
import { inspectStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Container } from '../../container/container.ts';
import { openContainer, setUpPool } from '../../container/container.ts';
import { explainIssuerToOperator } from '../../providers/issuer-notice.ts';
import { createOkFinding, createWarning, type Finding } from '../findings/finding.ts';
import { checkAdminKeys } from './check-admin-keys.ts';
import { checkContacts } from './check-contacts.ts';
import { checkIdentityProviders } from './check-identity-providers.ts';
import { checkSenders } from './check-senders.ts';
import { checkTriggers } from './check-triggers.ts';
import { checkUnsupportedSettings } from './check-unsupported-settings.ts';
import type { CheckedProvider, CheckUpInput } from './checked-provider.ts';

/** Checks the embedded pool, in this process and on the service's store. */
export async function openCheckedEmbeddedPool(context: CheckUpInput): Promise<CheckedProvider | Finding> {
  // Opening it would create it, or change its schema.
  if (!(await isStoreReady(context))) {
    return createWarning(
      'The embedded pool was not checked; see the finding about the store.',
      'Start the service once, then run this check again.',
    );
  }
  const container = await openContainer(context.configuration, context, () => {}, context.hooks);
  try {
    container.readBrands();
    const served = await setUpPool(container);
    return {
      ...served,
      provider: container.backend.provider,
      endpoint: undefined,
      jwksUrl: undefined,
      checkSettings: () => listSettingsFindings(container, served.userPoolId),
      checkTriggers: () => checkTriggers(container),
      checkIdentityProviders: () => checkIdentityProviders(container, served.userPoolId),
      checkMessages: () => checkSenders(context),
      checkAdministration: () => checkAdminKeys(container),
      close: () => container.close(),
    };
  } catch (error) {
    await container.close();
    throw error;
  }
}

const CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1', actor: { kind: 'operator', id: null } };

async function listSettingsFindings(container: Container, userPoolId: string): Promise<readonly Finding[]> {
  const { UserPool = {} } = await container.backend.provider.operations.describeUserPool(
    { UserPoolId: userPoolId },
    CALL,
  );
  return [
    createOkFinding('The settings of the embedded pool match the configuration.'),
    ...checkContacts(UserPool),
    ...(await checkUnsupportedSettings(container)),
    ...(await checkIssuer(container, userPoolId)),
  ];
}

async function checkIssuer(
  { backend: { provider }, configuration: { settings }, store }: Container,
  userPoolId: string,
): Promise<readonly Finding[]> {
  const notice = await explainIssuerToOperator({ provider, settings, userPoolId, baseUrl: settings.baseUrl }, store);
  return notice === undefined ? [] : [createWarning(notice, 'Leave it as it is if no client uses discovery.')];
}

async function isStoreReady({ configuration: { settings } }: CheckUpInput): Promise<boolean> {
  try {
    const { exists, pending } = await inspectStore(settings.databaseUrl);
    return exists && pending.length === 0;
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) return false;
    throw error;
  }
}
