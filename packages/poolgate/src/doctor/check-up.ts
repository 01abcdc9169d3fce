import { openSslEngine } from '@poolgate/srp/openssl';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Environment } from '../config/sources.ts';
import { credentialsIn } from '../providers/aws-credentials.ts';
import { StartError } from '../start-error.ts';
import type { System } from '../system.ts';
import { walkChecklist } from './checklist.ts';
import { checkClock } from './clock.ts';
import { checkEncryption } from './encryption.ts';
import { checkEnvironment } from './environment.ts';
import { type CheckRow, type Finding, failed, ok } from './finding.ts';
import { rehearse } from './live/rehearsal.ts';
import { checkPasskeys } from './passkeys.ts';
import { checkPasswordVerifiers } from './password-verifiers.ts';
import { checkProtection } from './protection.ts';
import { checkClient, checkKeys } from './provider.ts';
import { checkRecentLogin } from './recent-login.ts';
import { checkSecrets } from './secrets.ts';
import { checkStore } from './store.ts';
import { openCheckedProvider } from './subjects/open.ts';
import type { CheckedProvider, CheckUpContext } from './subjects/subject.ts';

/** What the doctor does beside looking. */
export interface CheckUpOptions {
  /** A message goes to this address or number. */
  readonly sendTo?: string;
  /** This user is logged in, with everything that belongs to it. */
  readonly testUser?: { readonly username: string; readonly password: string };
  /** The list for production is gone through. */
  readonly checklist?: boolean;
  /** That user gets an authenticator for a moment, too. */
  readonly withTotp?: boolean;
}

/** What is looked at with a configuration alone. */
const CHECKS: readonly {
  readonly name: string;
  readonly run: (configuration: Configuration) => Promise<Finding | readonly Finding[]> | readonly Finding[];
}[] = [
  { name: 'environment', run: checkEnvironment },
  { name: 'protection', run: checkProtection },
  { name: 'secrets', run: checkSecrets },
  { name: 'store', run: checkStore },
  { name: 'encryption', run: checkEncryption },
  { name: 'passkeys', run: checkPasskeys },
  { name: 'password verifiers', run: checkPasswordVerifiers },
];

/** What is looked at with the provider. */
const PROVIDER_CHECKS: readonly {
  readonly name: string;
  readonly run: (subject: CheckedProvider, visit: CheckUpContext) => Promise<Finding | readonly Finding[]>;
}[] = [
  { name: 'clock', run: ({ jwksUrl }, { clock }) => checkClock(jwksUrl, clock) },
  { name: 'signing keys', run: checkKeys },
  { name: 'app client', run: checkClient },
  { name: 'pool settings', run: (subject) => subject.checkSettings() },
  { name: 'triggers', run: (subject) => subject.checkTriggers() },
  { name: 'administration', run: (subject) => subject.checkAdministration() },
  { name: 'messages', run: (subject) => subject.checkMessages() },
];

const checkRows = (check: string, found: Finding | readonly Finding[]): readonly CheckRow[] =>
  [found].flat().map((finding) => ({ check, ...finding }));

/**
 * Looks at everything that a service with this environment would use: what is wrong, and what to change.
 * Nothing is changed but what a wish asks for, and that is undone.
 */
export async function checkUp(
  environment: Environment,
  system: System,
  options: CheckUpOptions,
): Promise<readonly CheckRow[]> {
  const read = configurationOf(environment);
  if (Array.isArray(read)) return read;
  const { configuration, row } = read;
  const rows: CheckRow[] = [row];
  for (const { name, run } of CHECKS) rows.push(...checkRows(name, await run(configuration)));
  const awsCredentials = credentialsIn(environment);
  const context: CheckUpContext = {
    ...system,
    configuration,
    engine: openSslEngine,
    hooks: awsCredentials === undefined ? {} : { awsCredentials },
    sendTo: options.sendTo,
  };
  const opened = await openOrFinding(context);
  const served = 'result' in opened ? undefined : opened;
  rows.push(...checkRows('recent login', checkRecentLogin(configuration, served)));
  if (options.checklist === true) rows.push(...walkChecklist(configuration, served));
  return [...rows, ...(await providerRows(opened, context, options))];
}

function configurationOf(environment: Environment) {
  try {
    const configuration = readConfiguration(environment);
    const { mode, productionReasons } = configuration;
    const why = mode === 'production' ? ` (${productionReasons.join(', ')})` : '';
    return { configuration, row: { check: 'configuration', ...ok(`The configuration is good; ${mode}${why}.`) } };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(
      ({ name, problem, allowed }): CheckRow => ({
        check: 'configuration',
        ...failed(`${name} ${problem}.`, `Allowed: ${allowed}.`),
      }),
    );
  }
}

async function providerRows(
  opened: CheckedProvider | Finding,
  context: CheckUpContext,
  { testUser, withTotp = false }: CheckUpOptions,
): Promise<readonly CheckRow[]> {
  if ('result' in opened) {
    const untried = testUser === undefined ? [] : [{ check: 'login', ...failed('Not tried.', 'See the provider.') }];
    return [{ check: 'provider', ...opened }, ...untried];
  }
  try {
    const rows: CheckRow[] = [];
    for (const { name, run } of PROVIDER_CHECKS) rows.push(...checkRows(name, await run(opened, context)));
    if (testUser === undefined) return rows;
    const rehearsal = { subject: opened, context, user: testUser, withTotp, refreshTokens: new Set<string>() };
    return [...rows, ...(await rehearse({ ...rehearsal, hasTotp: false }))];
  } finally {
    await opened.close();
  }
}

async function openOrFinding(context: CheckUpContext): Promise<CheckedProvider | Finding> {
  try {
    return await openCheckedProvider(context);
  } catch (error) {
    if (error instanceof StartError) return failed(`${error.message}.`, 'A service does not start like this.');
    throw error;
  }
}
