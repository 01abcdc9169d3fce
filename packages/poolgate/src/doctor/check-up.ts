/** `poolgate doctor`: the list of checks. Each suggests a fix for what it finds. */
import { openSslEngine } from '@poolgate/srp/openssl';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Environment } from '../config/setting-sources.ts';
import { StartError } from '../process/start-error.ts';
import type { System } from '../process/system.ts';
import { findAwsCredentials } from '../providers/aws-credentials.ts';
import { checkClock } from './check-clock.ts';
import { checkEncryption } from './check-encryption.ts';
import { checkEnvironment } from './check-environment.ts';
import { checkPasskeys } from './check-passkeys.ts';
import { checkPasswordVerifiers } from './check-password-verifiers.ts';
import { checkAppClient, checkSigningKeys } from './check-provider.ts';
import { checkRecentLogin } from './check-recent-login.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkStore } from './check-store.ts';
import { checkWeakSettings } from './check-weak-settings.ts';
import { type CheckRow, createFault, createOkFinding, type Finding } from './findings/finding.ts';
import { runRehearsal } from './live/rehearsal.ts';
import { runProductionChecklist } from './production-checklist.ts';
import type { CheckedProvider, CheckUpInput } from './subjects/checked-provider.ts';
import { openCheckedProvider } from './subjects/open-checked-provider.ts';

/** Additional actions of the doctor. */
export interface CheckUpOptions {
  /** The address or number that receives a test message. */
  readonly sendTo?: string;
  /** The user to log in, with its credentials. */
  readonly testUser?: { readonly username: string; readonly password: string };
  /** Whether to run the production checklist. */
  readonly checklist?: boolean;
  /** Whether that user temporarily gets an authenticator, too. */
  readonly withTotp?: boolean;
}

/** Checks that need only a configuration. */
const CHECKS: readonly {
  readonly name: string;
  readonly run: (configuration: Configuration) => Promise<Finding | readonly Finding[]> | readonly Finding[];
}[] = [
  { name: 'environment', run: checkEnvironment },
  { name: 'protection', run: checkWeakSettings },
  { name: 'secrets', run: checkSecrets },
  { name: 'store', run: checkStore },
  { name: 'encryption', run: checkEncryption },
  { name: 'passkeys', run: checkPasskeys },
  { name: 'password verifiers', run: checkPasswordVerifiers },
];

/** Checks that need the provider. */
const PROVIDER_CHECKS: readonly {
  readonly name: string;
  readonly run: (subject: CheckedProvider, visit: CheckUpInput) => Promise<Finding | readonly Finding[]>;
}[] = [
  { name: 'clock', run: ({ jwksUrl }, { clock }) => checkClock(jwksUrl, clock) },
  { name: 'signing keys', run: checkSigningKeys },
  { name: 'app client', run: checkAppClient },
  { name: 'pool settings', run: (subject) => subject.checkSettings() },
  { name: 'triggers', run: (subject) => subject.checkTriggers() },
  { name: 'identity providers', run: (subject) => subject.checkIdentityProviders() },
  { name: 'administration', run: (subject) => subject.checkAdministration() },
  { name: 'messages', run: (subject) => subject.checkMessages() },
];

const toCheckRows = (check: string, found: Finding | readonly Finding[]): readonly CheckRow[] =>
  [found].flat().map((finding) => ({ check, ...finding }));

/**
 * Checks everything that a service with this environment would use, and suggests fixes. It changes nothing except for requested actions,
 * which it undoes.
 */
export async function runCheckUp(
  environment: Environment,
  system: System,
  options: CheckUpOptions,
): Promise<readonly CheckRow[]> {
  const read = readConfigurationRow(environment);
  if (Array.isArray(read)) return read;
  const { configuration, row } = read;
  const rows: CheckRow[] = [row];
  for (const { name, run } of CHECKS) rows.push(...toCheckRows(name, await run(configuration)));
  const awsCredentials = findAwsCredentials(environment);
  const context: CheckUpInput = {
    ...system,
    configuration,
    engine: openSslEngine,
    hooks: awsCredentials === undefined ? {} : { awsCredentials },
    sendTo: options.sendTo,
  };
  const opened = await openProviderOrFinding(context);
  const served = 'result' in opened ? undefined : opened;
  rows.push(...toCheckRows('recent login', checkRecentLogin(configuration, served)));
  if (options.checklist === true) rows.push(...runProductionChecklist(configuration, served));
  return [...rows, ...(await checkProvider(opened, context, options))];
}

function readConfigurationRow(environment: Environment) {
  try {
    const configuration = readConfiguration(environment);
    const { mode, productionReasons } = configuration;
    const why = mode === 'production' ? ` (${productionReasons.join(', ')})` : '';
    return {
      configuration,
      row: { check: 'configuration', ...createOkFinding(`The configuration is valid; ${mode}${why}.`) },
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(
      ({ name, problem, allowed }): CheckRow => ({
        check: 'configuration',
        ...createFault(`${name} ${problem}.`, `Allowed: ${allowed}.`),
      }),
    );
  }
}

async function checkProvider(
  opened: CheckedProvider | Finding,
  context: CheckUpInput,
  { testUser, withTotp = false }: CheckUpOptions,
): Promise<readonly CheckRow[]> {
  if ('result' in opened) {
    const untried =
      testUser === undefined
        ? []
        : [{ check: 'login', ...createFault('Not tried.', 'See the finding about the provider.') }];
    return [{ check: 'provider', ...opened }, ...untried];
  }
  try {
    const rows: CheckRow[] = [];
    for (const { name, run } of PROVIDER_CHECKS) rows.push(...toCheckRows(name, await run(opened, context)));
    if (testUser === undefined) return rows;
    const rehearsal = { subject: opened, context, user: testUser, withTotp, refreshTokens: new Set<string>() };
    return [...rows, ...(await runRehearsal({ ...rehearsal, hasTotp: false }))];
  } finally {
    await opened.close();
  }
}

async function openProviderOrFinding(context: CheckUpInput): Promise<CheckedProvider | Finding> {
  try {
    return await openCheckedProvider(context);
  } catch (error) {
    if (error instanceof StartError)
      return createFault(`${error.message}.`, 'The service would not start with this configuration.');
    throw error;
  }
}
