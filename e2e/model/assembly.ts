import { randomBytes } from 'node:crypto';
import { createGateway } from '@poolgate/gateway';
import { createPool, type EmbeddedPool, type PoolOptions, type TriggerInvoker } from '@poolgate/pool';
import type { ClientRecord, PoolRecord, PoolStore } from '@poolgate/pool/store';
import { ADMIN_SCOPES, type IdentityProvider } from '@poolgate/provider';
import { createSyncComputations } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { openStore } from '@poolgate/store';
import { TEST_SETTINGS } from '../../packages/gateway/src/testing/gateway-deps.ts';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { HOST_SYSTEM } from '../../packages/poolgate/src/process/system.ts';
import { createKeyRing } from '../../packages/poolgate/src/secrets/key-ring.ts';
import { createOutbox } from '../../packages/poolgate/src/senders/outbox.ts';
import { sendRequest } from '../support/requests/exchange.ts';
import type { TestService } from '../support/services/test-service.ts';
import { ModelTriggers } from './model-triggers.ts';
import type { Rules } from './policy.ts';
import type { ModelledService, ServiceUnderTest, Setting } from './setting.ts';

const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);
const ADMIN = { id: 'model', secret: 'a-secret-of-the-model-0123456789abcdef' };

/** The replaceable parts of a service. */
export interface Parts {
  readonly store: (store: PoolStore) => PoolStore;
  readonly provider: (pool: EmbeddedPool) => IdentityProvider;
  readonly triggers: (invoker: TriggerInvoker) => TriggerInvoker;
}

/** A pool with its keys, on which services can be built. */
export interface Assembly {
  assemble(parts?: Partial<Parts>): Promise<ModelledService>;
  close(): Promise<void>;
}

/** Opens a store in memory and sets up a pool in it, from the same parts as the program. */
export async function openAssembly(setting: Setting): Promise<Assembly> {
  const { poolStore, records, close } = await openStore('sqlite::memory:');
  const clock = new TestClock(START_MS);
  const { random, timer } = HOST_SYSTEM;
  const keyRing = createKeyRing([randomBytes(32).toString('hex')], random);
  const outbox = createOutbox(clock);
  const senders = { email: outbox, sms: outbox };
  const options: PoolOptions = {
    store: poolStore,
    keyRing,
    engine: openSslEngine,
    clock,
    random,
    timer,
    senders,
    auditDays: 90,
    registrationDays: 7,
  };
  const { pool, client } = await createPool(options).setUp(toDesiredSettings(setting));
  const served = { userPoolId: pool.id, clientId: client.id };
  const triggers = setting.rules.triggers && new ModelTriggers();
  if (triggers !== undefined) await nameTriggers(poolStore, triggers, pool, client);
  const asIs = <Part>(real: Part): Part => real;
  return {
    async assemble({ store = asIs, provider = asIs, triggers: invoker = asIs }: Partial<Parts> = {}) {
      const functions = triggers && { triggers: invoker(triggers.invoker) };
      const embedded = createPool({ ...options, store: store(poolStore), ...functions });
      const gateway = await createGateway({
        ...options,
        ...served,
        srp: createSyncComputations(options.engine),
        provider: provider(embedded),
        records,
        settings: gatewaySettings(setting.rules),
        adminKeys: [{ ...ADMIN, scopes: ADMIN_SCOPES }],
        outbox,
        postWebhook: () => Promise.resolve({ ok: true }),
        postLogoutToken: () => Promise.resolve({ ok: true }),
        isWebhookUrlRefused: () => Promise.resolve(false),
        logStream: { write: () => {} },
      });
      const url = await gateway.listen('127.0.0.1', 0);
      const service = serviceAt(url, { clock, outbox, userPoolId: pool.id, close: () => gateway.close() });
      return { setting, service, ...(triggers && { triggers }) };
    },
    close,
  };
}

/** Gives the pool its triggers, and its client the logins that they control. */
function nameTriggers(
  store: PoolStore,
  { lambdaConfig: LambdaConfig }: ModelTriggers,
  { id, settings, modifiedAtMs }: PoolRecord,
  client: ClientRecord,
): Promise<void> {
  const kept = { ...settings.kept, LambdaConfig };
  const allowedFlows = [...client.settings.allowedFlows, 'CUSTOM_AUTH'] as const;
  return store.write(async (transaction) => {
    await transaction.pools.update(id, { settings: { ...settings, kept }, modifiedAtMs });
    await transaction.clients.update(client.id, { ...client, settings: { ...client.settings, allowedFlows } });
  });
}

function toDesiredSettings({ rules, offersCodes }: Setting): NonNullable<Parameters<EmbeddedPool['setUp']>[0]> {
  const { mfa, methods, devices, deviceReplacesMfa } = rules;
  return {
    mfaConfiguration: mfa,
    mfaMethods: methods.length === 0 ? ['SOFTWARE_TOKEN_MFA'] : methods,
    recovery: [rules.recoveryMethod === 'SMS_MFA' ? 'verified_phone_number' : 'admin_only'],
    firstFactors: offersCodes ? ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP'] : ['PASSWORD'],
    deviceTracking:
      devices === 'off'
        ? null
        : { challengeRequiredOnNewDevice: deviceReplacesMfa, onlyRememberedOnUserPrompt: devices === 'opt-in' },
  };
}

function gatewaySettings({ mfa, methods }: Rules): Parameters<typeof createGateway>[0]['settings'] {
  return {
    ...TEST_SETTINGS,
    baseUrl: 'http://localhost',
    trustedProxies: ['127.0.0.1'],
    loginFlow: 'password',
    mfaSetup: mfa,
    mfaTypes: methods,
  };
}

function serviceAt(
  url: string,
  own: Pick<ServiceUnderTest, 'clock' | 'close' | 'outbox' | 'userPoolId'>,
): ServiceUnderTest {
  const ask: TestService['ask'] = (method, path, sent) => sendRequest(url, method, path, sent);
  const post: TestService['post'] = (path, body, headers = {}) => ask('POST', path, { body, headers });
  return {
    ...own,
    poolName: own.userPoolId.split('_')[1] ?? '',
    asAdmin: { authorization: `Bearer pg_${ADMIN.id}_${ADMIN.secret}` },
    ask,
    post,
    get: (path, headers = {}) => ask('GET', path, { headers }),
    call: (operation, input, headers = {}) =>
      post('/', input, {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        ...headers,
      }),
  };
}
