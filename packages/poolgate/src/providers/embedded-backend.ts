import type { DesiredPoolSettings, EmbeddedPool, PoolAndClient, UnmappedTrigger } from '@poolgate/pool';
import { createPool } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';
import type { Settings } from '../config/settings.ts';
import { createIdentityProviderProtocol } from '../federation/identity-provider-protocol.ts';
import { createMailBrandLookup } from '../pages/brand/open-brand-file.ts';
import { type BreachLookups, createBreachLookups } from '../passwords/breach-lookups.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { StartError } from '../process/start-error.ts';
import type { System } from '../process/system.ts';
import { createClientKeyFetch } from '../senders/fetch-client-keys.ts';
import { openSenders } from '../senders/open-senders.ts';
import { createOutbox } from '../senders/outbox.ts';
import { openTriggers } from '../triggers/open-triggers.ts';
import { listStackFunctions } from '../triggers/stack-functions.ts';
import { createHintLog, createUnmappedTriggerLog } from '../triggers/trigger-logs.ts';
import type { Backend, BackendDeps, ServedPool } from './backend.ts';
import { createBackgroundFailureLog } from './background-failure-log.ts';
import { createDemoUser, DEMO_USER, findDemoUserStatus, hasDemoPassword, setDemoPassword } from './demo-user.ts';
import { toDesiredPoolSettings } from './desired-pool-settings.ts';
import { readMessageLimits } from './message-limits.ts';
import { createPasskeyRefusalLog } from './passkey-refusal-log.ts';
import { explainEmptyPoolRefusal, findPoolMarker, writePoolMarker } from './pool-marker.ts';
import { refuseForeignSecrets } from './refuse-foreign-secrets.ts';
import { createDeliveryLog, listEmbeddedPoolWarnings } from './start-warnings.ts';
import { createUnsupportedSettingLog, readAcceptedUnsupportedSettings } from './unsupported-setting-log.ts';

function openBreachLookups(
  { breachedPasswords: api }: Settings,
  { clock }: System,
  log: WriteLogLine,
): Partial<BreachLookups> {
  return api === 'off' ? {} : createBreachLookups({ api, clock, log });
}

/** Opens the embedded pool on the store of the service. */
export async function openEmbeddedBackend(parts: BackendDeps): Promise<Backend> {
  const { configuration, keyRing, engine, computations, store, clock, random, timer, log } = parts;
  const { settings, mode } = configuration;
  refuseTestKeys(parts);
  const outbox = mode === 'development' ? createOutbox(clock) : undefined;
  const senders = await openSenders(settings, clock, outbox);
  const { claims, migrate, triggers: functions, awsCredentials } = parts.hooks;
  const reloads = mode === 'development';
  const stackFunctions = mode === 'development' ? await listStackFunctions(store) : new Map<string, string>();
  const triggers = await openTriggers({ settings, clock, functions, awsCredentials, reloads, stackFunctions });
  const sendsDefaultText = mode === 'development';
  const logUnmapped = createUnmappedTriggerLog(log, sendsDefaultText);
  const logUnsupported = createUnsupportedSettingLog(log);
  const pool = createPool({
    store,
    keyRing,
    engine,
    computations,
    senders,
    clock,
    random,
    timer,
    auditDays: settings.auditDays,
    deletionDays: settings.deletionDays,
    appName: settings.appName,
    findMailBrand: createMailBrandLookup(
      parts.readBrands,
      settings.baseUrl && `${settings.baseUrl}${settings.webPrefix}/assets/`,
    ),
    accountId: settings.accountId,
    aliasTarget: settings.baseUrl === undefined ? 'localhost' : new URL(settings.baseUrl).hostname,
    reservedHosts: settings.returnOrigins.map((origin) => new URL(origin).hostname),
    registrationDays: settings.registrationDays,
    messageLimits: readMessageLimits(configuration),
    fetchClientKeys: createClientKeyFetch({ allowPrivate: settings.privateWebhooks }),
    identityProviderProtocol: createIdentityProviderProtocol({
      allowPrivate: settings.privateFederation,
      allowLoopback: mode === 'development',
      clock,
    }),
    groupsWithoutLinkRule: settings.adminGroups,
    ...openBreachLookups(settings, parts, log),
    ...(claims && { addClaims: claims }),
    ...(migrate && { migrate }),
    triggers,
    triggerBreakerNetworks: settings.triggerBreakerNetworks,
    onUnmappedTrigger: logUnmapped,
    acceptedUnsupportedSettings: readAcceptedUnsupportedSettings(configuration),
    onUnsupportedSetting: logUnsupported,
    sendsWithoutUnmappedTrigger: sendsDefaultText,
    onPasskeyRefusal: createPasskeyRefusalLog(log, clock),
    hint: createHintLog(log),
  });
  return {
    provider: pool,
    embedded: { pool, senders },
    outbox,
    cognitoApi: true,
    setUp: (more) => setUpEmbeddedPool(pool, { ...parts, logUnmapped, logUnsupported }, more),
    provideDemoUser: (served) => provideDemoUser(pool, parts, served),
    startWarnings: () => listEmbeddedPoolWarnings(senders, settings),
    unmappedTriggers: () => listBlockingTriggers(pool, sendsDefaultText),
    canServeLogins: (served) => pool.canServeLogins(served),
    startBackgroundWork(write, onDelivered) {
      const logged = createDeliveryLog(write);
      const stopDelivery = pool.startDelivery((report) => {
        logged(report);
        onDelivered(report);
      });
      const logFailure = createBackgroundFailureLog(write);
      const stopCensuses = pool.startCensuses(logFailure);
      const stopDeletions = pool.startDueDeletions(logFailure);
      return async () => {
        await Promise.all([stopCensuses(), stopDeletions(), stopDelivery()]);
      };
    },
    close: () => {},
  };
}

/** An unmapped `CustomMessage` trigger blocks nothing if messages then use the default text. */
async function listBlockingTriggers(
  pool: EmbeddedPool,
  sendsDefaultText: boolean,
): Promise<readonly UnmappedTrigger[]> {
  const all = await pool.unmappedTriggers();
  const isBlocking = (trigger: string) => !sendsDefaultText || trigger !== 'CustomMessage';
  return all
    .map((found) => ({ ...found, triggers: found.triggers.filter(isBlocking) }))
    .filter(({ triggers }) => triggers.length > 0);
}

/** An empty pool instead of a lost one would look like a service without its users. */
async function refuseEmptyPool({ store, configuration }: BackendDeps): Promise<void> {
  // The marker first, which is written once the pool exists: a concurrent start finds both or neither.
  const marker = await findPoolMarker(configuration.settings);
  if ((await store.pools.first()) !== undefined) return;
  const reason = explainEmptyPoolRefusal(configuration, marker);
  if (reason !== undefined) throw new StartError('store_refused', `DATABASE_URL: ${reason}`);
}

async function refuseDemoUser(
  { operations }: EmbeddedPool,
  { mode }: Configuration,
  served: ServedPool,
): Promise<void> {
  if (mode === 'development') return;
  if ((await findDemoUserStatus(operations, served.userPoolId)) === undefined) return;
  const reason = `it contains the demo user ${DEMO_USER.email} from development`;
  throw new StartError('store_refused', `DATABASE_URL: the service refuses this store because ${reason}`);
}

/** Keys from a repository must never sign in production, so production must reject the store that contains them. */
function refuseTestKeys({ configuration: { mode, settings }, hooks }: BackendDeps): void {
  if (hooks.signingKeys === undefined || (mode === 'development' && settings.secrets === undefined)) return;
  const reason = mode === 'production' ? 'production makes its own' : 'they go with the secrets of development only';
  throw new StartError('setting_refused', `signingKeys: ${reason}`);
}

async function toDesiredPool(
  pool: EmbeddedPool,
  configuration: Configuration,
  more: DesiredPoolSettings,
): Promise<PoolAndClient> {
  try {
    return await pool.setUp({ ...toDesiredPoolSettings(configuration), ...more });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartError('setting_refused', `a setting of the pool is refused: ${error.message}`, error);
  }
}

interface SetUpParts extends BackendDeps {
  readonly logUnmapped: ReturnType<typeof createUnmappedTriggerLog>;
  readonly logUnsupported: ReturnType<typeof createUnsupportedSettingLog>;
}

/**
 * Ensures that a pool and a client exist, with the configured settings.
 * @throws StartError `store_refused`: the store was encrypted with other secrets, or in production by a development start;
 *   `setting_refused`: a setting does not fit the store's content
 */
async function setUpEmbeddedPool(
  embedded: EmbeddedPool,
  parts: SetUpParts,
  more: DesiredPoolSettings,
): Promise<ServedPool> {
  await refuseEmptyPool(parts);
  await refuseForeignSecrets(parts.store, parts.keyRing);
  const { signingKeys } = parts.hooks;
  const all = { ...more, ...(signingKeys && { signingKeys }) };
  const before = await findExistingPool(parts);
  const { pool, client } = await toDesiredPool(embedded, parts.configuration, all);
  warnOfChangedIssuer(parts, before?.settings.issuer, pool.settings.issuer);
  for (const found of await embedded.unmappedTriggers()) parts.logUnmapped(found, 'start');
  for (const found of await embedded.unsupportedSettings()) parts.logUnsupported(found);
  const { recentLoginOnCognitoApi = false } = pool.settings;
  const served = { userPoolId: pool.id, clientId: client.id, recentLoginOnCognitoApi };
  await refuseDemoUser(embedded, parts.configuration, served);
  await writePoolMarker(parts.configuration.settings, pool.id);
  return served;
}

/** Returns the pool of an earlier start. */
function findExistingPool({ store, configuration: { settings } }: BackendDeps) {
  return settings.userPoolId === undefined ? store.pools.first() : store.pools.byId(settings.userPoolId);
}

/** Tokens keep their issuer, and every verifier expects one issuer. */
function warnOfChangedIssuer({ log }: BackendDeps, before: string | undefined, now: string): void {
  if (before === undefined || before === now) return;
  const message =
    'The issuer of the pool changed (IDP_ISSUER). Existing tokens are refused, and everything that verifies tokens needs the new issuer.';
  log('warn', message, { before, now });
}

/**
 * Creates the demo user in an unused pool, or completes it after an interrupted start. The password depends on who can reach this start. A
 * password that someone set stays.
 */
async function provideDemoUser(
  pool: EmbeddedPool,
  parts: BackendDeps,
  served: ServedPool,
): Promise<string | undefined> {
  const { configuration, demoPasswords } = parts;
  if (configuration.mode === 'production') return undefined;
  const { userPoolId } = served;
  const { wanted, other } = demoPasswords;
  const status = await findDemoUserStatus(pool.operations, userPoolId);
  const { rows } = await pool.listUsers(userPoolId, 1);
  if (status === undefined && rows.length > 0) return undefined;
  if (status === undefined || status === 'FORCE_CHANGE_PASSWORD') {
    await createDemoUser(pool.operations, userPoolId, wanted);
  } else if (await hasDemoPassword(parts, userPoolId, other)) {
    await setDemoPassword(pool.operations, userPoolId, wanted);
  }
  return wanted;
}
