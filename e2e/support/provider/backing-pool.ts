import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUOTAS } from '@poolgate/provider-cognito';
import { type Service, type StartOptions, start } from 'poolgate';
import type { TestClock } from '../../../packages/pool/src/testing/test-environment.ts';
import { BEHIND_PROXY } from '../requests/exchange.ts';
import { startAddressProxy } from '../services/address-proxy.ts';

/** Quotas that no test reaches: with a frozen clock, a second never ends. */
export const NO_QUOTAS: Readonly<Record<keyof typeof QUOTAS, number>> = Object.fromEntries(
  Object.keys(QUOTAS).map((category) => [category, 1_000_000]),
) as Record<keyof typeof QUOTAS, number>;

/** On a busy machine a call may take longer than a service would wait for it. */
const PATIENT = { requestMs: 60_000, callMs: 60_000 } as const;

/** Options for the pool only: behind the routes they concern only the pool. */
const POOL_OPTIONS = [
  'claims',
  'clientId',
  'deviceTracking',
  'factorConfiguration',
  'firstFactors',
  'issuer',
  'migrate',
  'recovery',
  'region',
  'sessionMinutes',
  'triggers',
  'userPoolId',
  'userVerification',
  'verifierPasswords',
] as const satisfies readonly (keyof StartOptions)[];

/** Options for both. */
const SHARED_OPTIONS = [
  'allowPasskeys',
  'environment',
  'mfaSetup',
  'mfaTypes',
  'origins',
  'rpId',
] as const satisfies readonly (keyof StartOptions)[];

/** One key for both services. */
const ADMIN_KEY = { id: 'tests', secret: 'an-admin-secret-for-tests-0123456789' } as const;

/** The second service: a pool that is reached by its Cognito-compatible API, like Cognito. */
export interface BackingPool {
  readonly service: Service;
  /** Its URL for the service in front of it: each request comes from a separate address. */
  readonly url: string;
  /** The options of the service in front of it. */
  gatewayOptions(options: StartOptions): StartOptions;
  close(): Promise<void>;
}

/** Starts the pool behind the routes. */
export async function startBackingPool(options: StartOptions, clock: TestClock): Promise<BackingPool> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-backing-'));
  const service = await start({
    ...pickOptions(options, [...POOL_OPTIONS, ...SHARED_OPTIONS]),
    databaseUrl: 'sqlite::memory:',
    dataDir: join(folder, 'data'),
    port: 0,
    limitReads: 0,
    limitLoginSteps: 0,
    limitUserSteps: 0,
    limitSourceMessages: 2,
    overloadMs: 0,
    bootstrapAdminKey: ADMIN_KEY,
    clock,
    ...BEHIND_PROXY,
  });
  const elsewhere = await startAddressProxy(service.url);
  return {
    service,
    url: elsewhere.url,
    gatewayOptions: (all) => ({
      ...Object.fromEntries(Object.entries(all).filter(([name]) => !isPoolOption(name))),
      provider: 'cognito',
      userPoolId: service.userPoolId,
      clientId: service.clientId,
      endpoint: elsewhere.url,
      bootstrapAdminKey: ADMIN_KEY,
      awsCredentials: async () => ({ accessKeyId: ADMIN_KEY.id, secretAccessKey: ADMIN_KEY.secret }),
      cognitoLimits: { quotas: NO_QUOTAS, ...PATIENT, ...all.cognitoLimits },
    }),
    async close() {
      await elsewhere.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The key with which a test administers both services. */
export const SHARED_ADMIN_KEY = { ...ADMIN_KEY, bearer: `pg_${ADMIN_KEY.id}_${ADMIN_KEY.secret}` };

function pickOptions(options: StartOptions, names: readonly string[]): StartOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

function isPoolOption(name: string): boolean {
  return (POOL_OPTIONS as readonly string[]).includes(name);
}
