/**
 * `start()`: the container, the gateway, observers, readiness and the expiry sweeper, and how they stop.
 */
import type { Gateway, GatewaySettings, OperatorAccessRequest, OutboxView, Pages } from '@poolgate/gateway';
import type { Clock, Random, Timer } from '@poolgate/pool';
import { readConfiguration } from '../config/configuration.ts';
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
import { openReadiness, type Readiness } from './readiness.ts';

/** Where the service asks or tells whoever runs it. */
interface GatewayHooks {
  /** Where log lines (JSON, one a line) go. By default nowhere. */
  readonly logStream?: LogStream;
  /**
   * Replaces the rule who may switch the MFA of a named user on and off, by default an admin key with `mfa:write` or a
   * member of `IDP_ADMIN_GROUPS`. Whatever is not `true` refuses.
   */
  readonly authorize?: (question: OperatorAccessRequest) => boolean | Promise<boolean>;
}

/**
 * What a start in process may be given: every key of the configuration by its name here, and the clock, randomness and timers.
 * What is left out has its default; the environment is read only where it is given.
 */
export interface StartOptions extends Partial<Settings>, GatewayHooks, ContainerHooks {
  /** Environment variables to read the configuration from. By default none but `NODE_ENV` of this process. */
  readonly environment?: Environment;
  /** By default the clock of the machine. */
  readonly clock?: Clock;
  /** By default the operating system's source. */
  readonly random?: Random;
  /** By default the timers of the machine. */
  readonly timer?: Timer;
}

/** An admin key in both of its forms. */
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
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Under which URL clients are meant to reach it, e.g. `https://login.example.com`; without a trailing slash. */
  readonly baseUrl: string;
  /** The page on which users sign in. */
  readonly signInUrl: string;
  readonly mode: Mode;
  readonly userPoolId: string;
  readonly clientId: string;
  /** The admin key that a development start makes; in production the bootstrap key, if any. It has every scope. */
  readonly adminKey: AdminKey | undefined;
  /** Messages that wait in development; undefined in production, and with `cognito`, which sends by itself. */
  readonly outbox: OutboxView | undefined;
  readonly clock: Clock;
  /** Whether the demo user of development is there. */
  readonly demoUser: boolean;
  /** Its password: public, or random where others can reach a development start; undefined where there is no such user. */
  readonly demoPassword: string | undefined;
  /** What `/dev/*` asks for as a bearer token, where others can reach a development start; undefined where it goes by the address. */
  readonly devToken: string | undefined;
  /** With `POOLGATE_TLS=dev`: the authority that clients have to trust, as PEM, and where it lies. */
  readonly tlsAuthority: { readonly pem: string; readonly file: string } | undefined;
  /** Where the metrics are served, e.g. `http://127.0.0.1:9464/metrics`; undefined without `POOLGATE_METRICS_PORT`. */
  readonly metricsUrl: string | undefined;
  /**
   * Is not ready any more (`/readyz`) and ends each connection with its next answer; then stops accepting, answers what is in
   * flight, lets go of the store.
   * @param noticeMs how long it goes on serving before it stops accepting, so that load balancers and kept connections move on; by default not at all
   */
  close(noticeMs?: number): Promise<void>;
}

const NO_LOG: LogStream = { write: () => {} };

const DEV_TOKEN_BYTES = 24;

/** What a service is made of beside its container. */
interface ServiceDependencies {
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
    // With PORT=0 it is known only once the service listens.
    get baseUrl() {
      return baseUrl.current;
    },
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
    recentLoginSeconds: settings.freshProofSeconds,
    recentLoginOnCognitoApi,
    verifierPasswords: settings.verifierPasswords,
    logLevel: settings.logLevel,
  };
}

function openServicePages({ configuration }: Container): Pages {
  const { appName, signInFlow, webPrefix: prefix } = configuration.settings;
  return openPages({ appName, signInFlow, prefix, isDevelopment: configuration.mode === 'development' });
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

async function openGateway(
  container: Container,
  log: WriteLogLine,
  { hooks, observers, tls }: ServiceDependencies,
  { baseUrl, devToken }: { readonly baseUrl: BaseUrl; readonly devToken: string | undefined },
): Promise<Gateway & ServedPool & { readonly readiness: Readiness }> {
  // The web framework loads while the keys of a first start are made on other threads.
  const [served, { createGateway }] = await Promise.all([
    setUpPool(container, toDesiredAddresses(container.configuration)),
    import('@poolgate/gateway'),
  ]);
  const readiness = openReadiness(container, served, log);
  const observe = createRequestObserver(observers);
  const gateway = await createGateway({
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
    devToken,
    pages: openServicePages(container),
    documentation: container.configuration.mode === 'development' ? openDocumentation() : undefined,
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
  return { ...gateway, ...served, readiness };
}

function createDevToken({ random }: Container): string {
  return `dev_${Buffer.from(random(DEV_TOKEN_BYTES)).toString('base64url')}`;
}

/** What has to be ended where a start fails half-way, in the order in which it began. */
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
  const { readiness } = gateway;
  const metricsServer = await openMetricsServer(parts.observers, container, readiness, log);
  ends.push(() => metricsServer?.close());
  const url = await listenOrFail(gateway, settings);
  baseUrl.current = settings.baseUrl ?? `${scheme}://localhost:${new URL(url).port}`;
  if (dependsOnPort(configuration)) await setUpPool(container, toDesiredAddresses(configuration, baseUrl.current));
  await logIssuerNotice(container, gateway, baseUrl.current, log);
  const stopSweeping = startExpirySweeper(container, log);
  const stopWatching = parts.tls?.watch((credentials) => gateway.renewTls(credentials), log);
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
    clock,
    demoUser: demoPassword !== undefined,
    demoPassword,
    devToken,
    tlsAuthority: parts.tls?.authority,
    metricsUrl: metricsServer?.url,
    async close(noticeMs) {
      stopSweeping();
      stopWatching?.();
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
 * Starts the service in this process: what `poolgate serve` starts, by another entry point.
 * With `databaseUrl: 'sqlite::memory:'` nothing touches the disk, with `port: 0` the system chooses the port.
 *
 * @throws ConfigurationError with every fault, where an option or a variable is wrong.
 * @throws StartError where the data folder, the store or the address cannot be used.
 */
export async function start(options: StartOptions = {}): Promise<Service> {
  const {
    environment = { NODE_ENV: process.env.NODE_ENV },
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
    awsCredentials = findAwsCredentials(environment),
    cognitoLimits,
    ...settings
  } = options;
  const configuration = readConfiguration(environment, settings);
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
    ...(awsCredentials && { awsCredentials }),
    ...(cognitoLimits && { cognitoLimits }),
  };
  const container = await openServiceContainer(configuration, { clock, random, timer }, log, containerHooks);
  const ends: CleanupSteps = [() => container.close()];
  try {
    const gatewayHooks = { ...(logStream && { logStream }), ...(authorize && { authorize }) };
    const tls = await openTls(configuration.settings, { clock, random, timer });
    return await serveGateway(container, log, { hooks: gatewayHooks, observers, tls }, ends);
  } catch (error) {
    // Else a port is left that answers, and work that is done again and again, on a store that is closed.
    for (const end of ends.toReversed()) await end();
    throw error;
  }
}
