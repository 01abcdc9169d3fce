/**
 * `start()`: the container, the gateway, observers, readiness and the expiry sweeper, and how they stop.
 */
import type {
  Gateway,
  GatewayDeps,
  GatewaySettings,
  OperatorAccessRequest,
  OutboxView,
  Pages,
} from '@poolgate/gateway';
import type { Clock, Random, Timer } from '@poolgate/pool';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { gatewaySettings } from '../config/gateway-settings.ts';
import type { Mode } from '../config/mode.ts';
import { pickGroup } from '../config/setting.ts';
import type { Environment } from '../config/setting-sources.ts';
import type { Settings } from '../config/settings.ts';
import type { Container, ContainerHooks } from '../container/container.ts';
import { setUpPool } from '../container/container.ts';
import { openServiceContainer } from '../container/service-container.ts';
import { openDocumentation } from '../documentation/open-documentation.ts';
import { type Observers, observeProvider } from '../observability/observe-provider.ts';
import { createRequestObserver } from '../observability/request-observer.ts';
import { Brands } from '../pages/brand/brands.ts';
import { openConsole } from '../pages/open-console.ts';
import { openPages } from '../pages/open-pages.ts';
import type { LogStream, WriteLogLine } from '../process/log-line.ts';
import { createLogWriter } from '../process/log-line.ts';
import { StartError } from '../process/start-error.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { findAwsCredentials } from '../providers/aws-credentials.ts';
import type { ServedPool } from '../providers/backend.ts';
import { dependsOnPort, toDesiredAddresses } from '../providers/desired-pool-settings.ts';
import { explainIssuerToOperator } from '../providers/issuer-notice.ts';
import { logStartWarnings } from '../providers/start-warnings.ts';
import { openTls, type TlsSetup } from '../tls/open-tls.ts';
import { startExpirySweeper } from './expiry-sweeper.ts';
import { createDeliveryCounter, openMetricsServer, openObservers } from './open-observers.ts';
import { openPlaces } from './open-places.ts';
import { openReadiness, type Readiness } from './readiness.ts';
import { createRouteSnapshots, createServiceSnapshots, type ServiceSnapshots } from './service-snapshots.ts';

/** The hooks of the gateway, implemented by the operator. */
interface GatewayHooks {
  /** Receives log lines, one JSON object per line. Default: none. */
  readonly logStream?: LogStream;
  /**
   * Replaces the rule for who may change another user's MFA. Default: an admin key with `mfa:write`, or a member of `IDP_ADMIN_GROUPS`. Any
   * result except `true` denies the change.
   */
  readonly authorize?: (question: OperatorAccessRequest) => boolean | Promise<boolean>;
}

/**
 * The options of a start in process: every configuration setting under its name here, and the clock, randomness and timers. Omitted options
 * have their defaults. The environment is read only if it is given.
 */
export interface StartOptions extends Partial<Settings>, GatewayHooks, ContainerHooks {
  /** Environment variables to read the configuration from. Default: only `NODE_ENV` of this process. */
  readonly environment?: Environment;
  /** In development: the name or file of a snapshot (docs/how-to/tests.md) that replaces everything in the store. */
  readonly snapshot?: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Default: the operating system's source. */
  readonly random?: Random;
  /** Default: the machine's timers. */
  readonly timer?: Timer;
}

/** An admin key in both forms. */
export interface AdminKey {
  /** The access key id of AWS Signature Version 4. */
  readonly id: string;
  /** The secret access key of AWS Signature Version 4. */
  readonly secret: string;
  /** For `Authorization: Bearer …`. */
  readonly bearer: string;
}

/** A running service. */
export interface Service {
  /** The address of the service, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The URL at which clients reach the service, e.g. `https://login.example.com`; without a trailing slash. */
  readonly baseUrl: string;
  /** The URL of the sign-in page. */
  readonly signInUrl: string;
  readonly mode: Mode;
  readonly userPoolId: string;
  readonly clientId: string;
  /** The admin key of a development start; in production the bootstrap key, if any. It has every scope. */
  readonly adminKey: AdminKey | undefined;
  /** Messages that wait in development; undefined in production, and with `cognito`, which sends its own messages. */
  readonly outbox: OutboxView | undefined;
  /** Saves and restores the whole store, for tests. Undefined in production, and with `cognito`. */
  readonly snapshots: ServiceSnapshots | undefined;
  readonly clock: Clock;
  /** Whether the development demo user exists. */
  readonly demoUser: boolean;
  /** The password of the demo user: public, or random if other hosts can reach a development start; undefined without a demo user. */
  readonly demoPassword: string | undefined;
  /** The bearer token for `/dev/*`, if other hosts can reach a development start; undefined if the address decides. */
  readonly devToken: string | undefined;
  /** With `POOLGATE_TLS=dev`: the authority that clients have to trust, as PEM, and the path of its file. */
  readonly tlsAuthority: { readonly pem: string; readonly file: string } | undefined;
  /** The URL of the metrics, e.g. `http://127.0.0.1:9464/metrics`; undefined without `POOLGATE_METRICS_PORT`. */
  readonly metricsUrl: string | undefined;
  /**
   * Stops the service. `/readyz` reports not ready, and each connection closes after its next response. Then the service accepts no more
   * connections, answers requests in progress and closes the store.
   * @param noticeMs milliseconds during which it continues to accept requests, so that load balancers and open connections move on.
   *   Default: 0
   */
  close(noticeMs?: number): Promise<void>;
}

const NO_LOG: LogStream = { write: () => {} };

const DEV_TOKEN_BYTES = 24;

/** The dependencies of a service in addition to its container. */
interface ServiceDependencies {
  /** Variables that a file of `POOLGATE_APPLY` reads. */
  readonly environment: Environment;
  readonly tls: TlsSetup | undefined;
  readonly hooks: GatewayHooks;
  readonly observers: Observers;
}

interface BaseUrl {
  current: string;
}

function toGatewaySettings(
  { configuration, backend }: Container,
  { recentLoginOnCognitoApi }: ServedPool,
  baseUrl: BaseUrl,
): GatewaySettings {
  const { settings } = configuration;
  return {
    ...pickGroup(settings, gatewaySettings),
    // With PORT=0 it is known only after the service listens.
    get baseUrl() {
      return baseUrl.current;
    },
    console: hasConsole(configuration),
    browserSessions: {
      idleSeconds: settings.sessionIdleSeconds,
      longestSeconds: settings.sessionSeconds,
      staySeconds: settings.sessionStaySeconds,
    },
    cognitoApi: backend.cognitoApi && settings.wire,
    accountId: settings.accountId,
    cognitoApiRegions: settings.wireRegions,
    oauth: settings.oauth,
    pkce: settings.pkce,
    forwardAuthClient: settings.forwardAuthClient,
    srpAssisted: settings.srpAssisted,
    loginFlow: settings.loginFlow,
    introspect: settings.introspect,
    rateLimits: {
      readsPerMinute: settings.limitReads,
      loginStepsPerMinute: settings.limitLoginSteps,
      userStepsPerMinute: settings.limitUserSteps,
      clientStepsPerMinute: settings.limitClientSteps,
    },
    mfaSetup: settings.mfaSetup,
    mfaTypes: settings.mfaTypes,
    challengeSeconds: settings.provider === 'embedded' ? settings.sessionMinutes * 60 : undefined,
    recentLoginSeconds: settings.freshProofSeconds,
    recentLoginOnCognitoApi,
    verifierPasswords: settings.verifierPasswords,
    logLevel: settings.logLevel,
  };
}

/** The console is available only in development. In production it would require sign-in with a second factor, which an admin key lacks. */
function hasConsole({ settings, mode }: Container['configuration']): boolean {
  return settings.console && mode === 'development';
}

function findPlaces({ configuration }: Container): Partial<Pick<GatewayDeps, 'findPlace'>> {
  const { geoipFile } = configuration.settings;
  return geoipFile === undefined ? {} : { findPlace: openPlaces(geoipFile) };
}

function openConsolePages({ configuration }: Container, { current }: BaseUrl): Pages | undefined {
  if (!hasConsole(configuration)) return undefined;
  const { appName, webPrefix: prefix, consoleUrl } = configuration.settings;
  return openConsole({ appName, prefix, ...(consoleUrl !== undefined && { apiUrl: current }) });
}

function openServicePages({ configuration, backend, readBrands }: Container, log: WriteLogLine): Pages {
  const { appName, signInFlow, webPrefix: prefix } = configuration.settings;
  const file = readBrands();
  for (const warning of file?.warnings ?? []) log('warn', `POOLGATE_BRAND_FILE: ${warning}`);
  const { provider, embedded } = backend;
  const brands = new Brands({
    file,
    findPoolOfClient: (clientId) => provider.poolOfClient(clientId),
    findStored: embedded?.pool.findBrand,
    assets: `${prefix}/assets/`,
  });
  return openPages({ appName, signInFlow, prefix, isDevelopment: configuration.mode === 'development', brands });
}

function findAdminKey({ adminKeys }: Container): AdminKey | undefined {
  const [first] = adminKeys;
  return first && { id: first.id, secret: first.secret, bearer: `pg_${first.id}_${first.secret}` };
}

async function listenOrFail(gateway: Gateway, { host, port }: Settings): Promise<string> {
  try {
    return await gateway.listen(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError('address_in_use', `PORT: ${port} on ${host} is in use by another process`, error);
    }
    if (code === undefined) throw error;
    throw new StartError('address_refused', `HOST, PORT: cannot listen on ${host}, port ${port} (${code})`, error);
  }
}

interface OpenedGateway extends Gateway, ServedPool {
  readonly readiness: Readiness;
  readonly snapshots: ServiceSnapshots | undefined;
}

async function openGateway(
  container: Container,
  log: WriteLogLine,
  { environment, hooks, observers, tls }: ServiceDependencies,
  { baseUrl, devToken }: { readonly baseUrl: BaseUrl; readonly devToken: string | undefined },
): Promise<OpenedGateway> {
  // The web framework loads while other threads create the keys of a first start.
  const [served, { createGateway }] = await Promise.all([
    setUpPool(container, toDesiredAddresses(container.configuration)),
    import('@poolgate/gateway'),
  ]);
  const readiness = openReadiness(container, served, log);
  const observe = createRequestObserver(observers);
  const snapshots = createServiceSnapshots({
    container,
    served,
    baseUrl,
    clearGatewayCaches: () => gateway.clearCaches(),
    applyFile: () => applyConfiguredFile({ ...container, ...served }, environment, log),
    log,
  });
  const { dataDir } = container.configuration.settings;
  const gateway: Gateway = await createGateway({
    provider: observeProvider(container.backend.provider, observers),
    ...served,
    records: container.records,
    keyRing: container.keyRing,
    engine: container.engine,
    srp: container.threads.computations.srp,
    clock: container.clock,
    random: container.random,
    settings: toGatewaySettings(container, served, baseUrl),
    adminKeys: container.adminKeys,
    outbox: container.backend.outbox,
    snapshots: snapshots && createRouteSnapshots(snapshots, dataDir),
    devToken,
    pages: openServicePages(container, log),
    consolePages: openConsolePages(container, baseUrl),
    documentation: container.configuration.mode === 'development' ? openDocumentation() : undefined,
    ...findPlaces(container),
    timer: container.timer,
    postWebhook: container.postWebhook,
    postLogoutToken: container.postLogoutToken,
    isWebhookUrlRefused: container.isWebhookUrlRefused,
    logStream: NO_LOG,
    lookAtParts: readiness.runChecks,
    ...(tls && { tls: tls.credentials }),
    ...(observe && { observe }),
    ...hooks,
  });
  return { ...gateway, ...served, readiness, snapshots };
}

/**
 * Loads its code only if a file is configured, so that the YAML parser does not slow down other starts. Returns a function that starts to
 * watch the file.
 */
async function applyConfiguredFile(
  served: Container & ServedPool,
  environment: Environment,
  log: WriteLogLine,
): Promise<() => () => Promise<void>> {
  if (served.configuration.settings.applyFile === undefined) return () => async () => {};
  const configuredFile = await import('./configured-file.ts');
  const files = await configuredFile.applyConfiguredFile(served, environment, log);
  return () => configuredFile.watchConfiguredFile(served, environment, files, log);
}

function toServedPool({ userPoolId, clientId, recentLoginOnCognitoApi }: ServedPool): ServedPool {
  return { userPoolId, clientId, recentLoginOnCognitoApi };
}

function createDevToken({ random }: Container): string {
  return `dev_${Buffer.from(random(DEV_TOKEN_BYTES)).toString('base64url')}`;
}

/** The steps that end a start that fails half-way, in the order in which it began. */
type CleanupSteps = (() => unknown)[];

async function serveGateway(
  container: Container,
  log: WriteLogLine,
  parts: ServiceDependencies,
  ends: CleanupSteps,
): Promise<Service> {
  const { configuration, backend, clock } = container;
  const { settings, mode } = configuration;
  const scheme = parts.tls === undefined ? 'http' : 'https';
  const baseUrl = { current: settings.baseUrl ?? `${scheme}://localhost` };
  const devToken = configuration.isExposed ? createDevToken(container) : undefined;
  const gateway = await openGateway(container, log, parts, { baseUrl, devToken });
  ends.push(() => gateway.close());
  const demoPassword = await backend.provideDemoUser(gateway);
  log('info', mode === 'development' ? mode : `production: ${configuration.productionReasons.join(', ')}`);
  logStartWarnings({ ...container, served: gateway }, (message) => log('warn', message));
  const served = { ...container, ...toServedPool(gateway) };
  const watchFile = await applyConfiguredFile(served, parts.environment, log);
  const { readiness } = gateway;
  const metricsServer = await openMetricsServer(parts.observers, container, readiness, log);
  ends.push(() => metricsServer?.close());
  const url = await listenOrFail(gateway, settings);
  baseUrl.current = settings.baseUrl ?? `${scheme}://localhost:${new URL(url).port}`;
  if (dependsOnPort(configuration)) await setUpPool(container, toDesiredAddresses(configuration, baseUrl.current));
  await logIssuerNotice(container, gateway, baseUrl.current, log);
  const stopSweeping = startExpirySweeper(container, log);
  const stopWatching = parts.tls?.watch((credentials) => gateway.renewTls(credentials), log);
  const stopFileWatch = watchFile();
  const count = createDeliveryCounter(parts.observers);
  const stopWork = backend.startBackgroundWork(log, (report) => {
    readiness.recordDelivery(report);
    count(report);
  });
  return {
    url,
    baseUrl: baseUrl.current,
    signInUrl: `${baseUrl.current}${settings.webPrefix}/login`,
    mode,
    userPoolId: gateway.userPoolId,
    clientId: gateway.clientId,
    adminKey: findAdminKey(container),
    outbox: backend.outbox,
    snapshots: gateway.snapshots,
    clock,
    demoUser: demoPassword !== undefined,
    demoPassword,
    devToken,
    tlsAuthority: parts.tls?.authority,
    metricsUrl: metricsServer?.url,
    async close(noticeMs) {
      stopSweeping();
      stopWatching?.();
      await stopFileWatch();
      await gateway.close(noticeMs);
      await stopWork();
      await metricsServer?.close();
      await container.close();
    },
  };
}

async function logIssuerNotice(
  { backend: { provider }, configuration: { settings }, store }: Container,
  { userPoolId }: ServedPool,
  baseUrl: string,
  log: WriteLogLine,
): Promise<void> {
  const notice = await explainIssuerToOperator({ provider, settings, userPoolId, baseUrl }, store);
  if (notice !== undefined) log('warn', notice);
}

/**
 * Reads the configuration of a start without starting it.
 * @throws ConfigurationError an option or a variable is invalid; it lists every fault
 */
export function readStartConfiguration({
  environment = readNodeEnvironment(),
  clock: _clock,
  random: _random,
  timer: _timer,
  logStream: _logStream,
  authorize: _authorize,
  onEvent: _onEvent,
  claims: _claims,
  migrate: _migrate,
  triggers: _triggers,
  signingKeys: _signingKeys,
  snapshot: _snapshot,
  awsCredentials: _awsCredentials,
  cognitoLimits: _cognitoLimits,
  ...settings
}: StartOptions): Configuration {
  return readConfiguration(environment, settings);
}

const readNodeEnvironment = (): Environment => ({ NODE_ENV: process.env.NODE_ENV });

/**
 * Starts the service in this process, as `poolgate serve` does. With `databaseUrl: 'sqlite::memory:'` nothing touches the disk; with `port:
 * 0` the system chooses the port.
 *
 * @throws ConfigurationError an option or a variable is invalid; it lists every fault
 * @throws StartError the data folder, the store or the address cannot be used
 */
export async function start(options: StartOptions = {}): Promise<Service> {
  const {
    environment = readNodeEnvironment(),
    clock = HOST_SYSTEM.clock,
    random = HOST_SYSTEM.random,
    timer = HOST_SYSTEM.timer,
    logStream,
    authorize,
    onEvent,
    claims,
    migrate,
    triggers,
    signingKeys,
    snapshot,
    awsCredentials = findAwsCredentials(environment),
    cognitoLimits,
  } = options;
  const configuration = readStartConfiguration(options);
  const log = createLogWriter(logStream ?? NO_LOG, clock, configuration.settings.logLevel);
  const observers = await openObservers(configuration.settings);
  const { metrics } = observers;
  const containerHooks = {
    ...(metrics && {
      onLostEvents: (count: number) => metrics.add('poolgate_lost_events_total', {}, count),
      onSlowStatement: () => metrics.add('poolgate_slow_statements_total'),
    }),
    ...(onEvent && { onEvent }),
    ...(claims && { claims }),
    ...(migrate && { migrate }),
    ...(triggers && { triggers }),
    ...(signingKeys && { signingKeys }),
    ...(snapshot !== undefined && { snapshot }),
    ...(awsCredentials && { awsCredentials }),
    ...(cognitoLimits && { cognitoLimits }),
  };
  const container = await openServiceContainer(configuration, { clock, random, timer }, log, containerHooks);
  const ends: CleanupSteps = [() => container.close()];
  try {
    const gatewayHooks = { ...(logStream && { logStream }), ...(authorize && { authorize }) };
    const tls = await openTls(configuration.settings, { clock, random, timer });
    return await serveGateway(container, log, { hooks: gatewayHooks, observers, tls, environment }, ends);
  } catch (error) {
    // Otherwise an open port and repeated background work would remain, on a closed store.
    for (const end of ends.toReversed()) await end();
    throw error;
  }
}
