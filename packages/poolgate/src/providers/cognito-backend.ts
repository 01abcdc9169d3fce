import type { CognitoLimits, CognitoProvider, ExpectedPoolSettings } from '@poolgate/provider-cognito';
import { checkSettings, createCognitoProvider, QUOTAS } from '@poolgate/provider-cognito';
import type { Configuration } from '../config/configuration.ts';
import { isLoopback } from '../config/mode.ts';
import { findRegion } from '../config/pool-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import type { Backend, BackendDeps, ProviderHooks, ServedPool } from './backend.ts';
import { disablePasskeys } from './disable-passkeys.ts';
import { logProviderFailures } from './log-provider-failures.ts';

/** Signatures need a region even if the pool id contains none. */
const DEFAULT_REGION = 'us-east-1';

/** Returns the configured pool. This provider requires both settings. */
function toServedPool({ userPoolId = '', clientId = '' }: Settings): ServedPool {
  return { userPoolId, clientId, recentLoginOnCognitoApi: false };
}

/** Connects to the configured user pool. It sends nothing before the first call. */
export function createConfiguredCognito(
  { configuration: { settings }, clock, timer }: Pick<BackendDeps, 'configuration' | 'clock' | 'timer'>,
  { awsCredentials, cognitoLimits }: ProviderHooks,
): CognitoProvider {
  const { endpoint, jwksUrl, issuer, clientSecrets = [], mfaSetup, mfaTypes } = settings;
  const { userPoolId, clientId } = toServedPool(settings);
  return createCognitoProvider({
    region: settings.region ?? findRegion(userPoolId) ?? DEFAULT_REGION,
    userPoolId,
    clientId,
    clientSecrets,
    assumed: { mfa: { setup: mfaSetup, types: mfaTypes }, passkeys: presumePasskeys(settings) },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(jwksUrl === undefined ? {} : { jwksUrl }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(awsCredentials === undefined ? {} : { credentials: awsCredentials }),
    limits: { ...cognitoLimits, quotas: { ...toCognitoQuotas(settings), ...cognitoLimits?.quotas } },
    clock,
    timer,
  });
}

function toCognitoQuotas({ quotaPercent }: Settings): CognitoLimits['quotas'] {
  return Object.fromEntries(Object.entries(QUOTAS).map(([category, rate]) => [category, (rate * quotaPercent) / 100]));
}

function presumePasskeys({ allowPasskeys, rpId }: Settings): { readonly relyingPartyId: string } | null {
  return allowPasskeys && rpId !== undefined ? { relyingPartyId: rpId } : null;
}

/** Returns the pool settings that the configuration expects. */
export function toExpectedPoolSettings(settings: Settings, { issuer }: CognitoProvider): ExpectedPoolSettings {
  const { loginFlow, mfaSetup, mfaTypes, allowPasskeys, rpId = '', clientSecrets = [] } = settings;
  return {
    loginFlow,
    mfaSetup,
    mfaTypes,
    passkeys: allowPasskeys,
    relyingPartyId: rpId,
    clientSecrets: clientSecrets.length,
    issuer,
  };
}

/** Opens Amazon Cognito, or a service with its API, as the provider. Users, passwords and messages stay there. */
export async function openCognitoBackend(parts: BackendDeps): Promise<Backend> {
  const { configuration, log, hooks } = parts;
  const { settings } = configuration;
  const cognito = createConfiguredCognito(parts, hooks);
  const logged = logProviderFailures(cognito, log);
  return {
    provider: settings.allowPasskeys ? logged : disablePasskeys(logged),
    embedded: undefined,
    outbox: undefined,
    cognitoApi: false,
    setUp: async () => toServedPool(settings),
    provideDemoUser: async () => undefined,
    startWarnings: () => listStartWarnings(configuration),
    // Amazon calls the triggers of its pools itself.
    unmappedTriggers: async () => [],
    canServeLogins: async ({ userPoolId }) => ((await logged.signingKeys(userPoolId))?.length ?? 0) > 0,
    startBackgroundWork(write) {
      logFindings(cognito, settings, write).catch(({ name }: Error) =>
        write('error', 'The settings of the pool could not be checked.', { failure: name }),
      );
      return async () => {};
    },
    close: () => cognito.close(),
  };
}

function listStartWarnings({ settings: { endpoint, jwksUrl } }: Configuration): readonly string[] {
  const open = [endpoint, jwksUrl].some((url) => url?.startsWith('http:') && !isLoopback(new URL(url).hostname));
  return open
    ? [
        'IDP_ENDPOINT or IDP_JWKS_URL uses http, so anyone on the network path can read and change tokens and keys. Use https.',
      ]
    : [];
}

/** Logs where the pool's settings differ from the configuration, once they are read. The start does not wait for AWS. */
async function logFindings(cognito: CognitoProvider, settings: Settings, log: WriteLogLine): Promise<void> {
  const found = checkSettings(await cognito.readSettings(), toExpectedPoolSettings(settings, cognito));
  for (const { id, severity, finding, advice } of found) {
    if (severity === 'fault') log('warn', `${finding} ${advice}`, { finding: id });
  }
}
