import { openSslEngine } from '@poolgate/srp/openssl';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { ConfigurationError } from '../config/fault.ts';
import type { Environment } from '../config/sources.ts';
import { credentialsIn } from '../providers/aws-credentials.ts';
import { StartError } from '../start-error.ts';
import type { World } from '../world.ts';
import { checkClock } from './clock.ts';
import { type Finding, fault, ok, type Row } from './finding.ts';
import { checkFreshProof } from './fresh-proof.ts';
import { rehearse } from './live/rehearsal.ts';
import { checkPasskeys } from './passkeys.ts';
import { checkProtection } from './protection.ts';
import { checkClient, checkKeys } from './provider.ts';
import { checkSeals } from './seals.ts';
import { checkSecrets } from './secrets.ts';
import { checkStore } from './store.ts';
import { openSubject } from './subjects/open.ts';
import type { Subject, Visit } from './subjects/subject.ts';

/** What the doctor is asked for beside looking. */
export interface Wishes {
  /** A message goes to this address or number. */
  readonly sendTo?: string;
  /** This user is logged in, with everything that belongs to it. */
  readonly testUser?: { readonly username: string; readonly password: string };
  /** That user gets an authenticator for a moment, too. */
  readonly withTotp?: boolean;
}

/** What is looked at with a configuration alone. */
const CHECKS: readonly {
  readonly name: string;
  readonly run: (configuration: Configuration) => Promise<Finding | readonly Finding[]> | readonly Finding[];
}[] = [
  { name: 'protection', run: checkProtection },
  { name: 'secrets', run: checkSecrets },
  { name: 'store', run: checkStore },
  { name: 'encryption', run: checkSeals },
  { name: 'passkeys', run: checkPasskeys },
  { name: 'fresh proof', run: checkFreshProof },
];

/** What is looked at with the provider. */
const PROVIDER_CHECKS: readonly {
  readonly name: string;
  readonly run: (subject: Subject, visit: Visit) => Promise<Finding | readonly Finding[]>;
}[] = [
  { name: 'clock', run: ({ jwksUrl }, { clock }) => checkClock(jwksUrl, clock) },
  { name: 'signing keys', run: checkKeys },
  { name: 'app client', run: checkClient },
  { name: 'pool settings', run: (subject) => subject.checkSettings() },
  { name: 'administration', run: (subject) => subject.checkAdministration() },
  { name: 'messages', run: (subject) => subject.checkMessages() },
];

const rowsOf = (check: string, found: Finding | readonly Finding[]): readonly Row[] =>
  [found].flat().map((finding) => ({ check, ...finding }));

/**
 * Looks at everything that a service with this environment would use: what is wrong, and what to change.
 * Nothing is changed but what a wish asks for, and that is undone.
 */
export async function checkUp(environment: Environment, world: World, wishes: Wishes): Promise<readonly Row[]> {
  const read = configurationOf(environment);
  if (Array.isArray(read)) return read;
  const { configuration, row } = read;
  const rows: Row[] = [row];
  for (const { name, run } of CHECKS) rows.push(...rowsOf(name, await run(configuration)));
  const awsCredentials = credentialsIn(environment);
  const visit: Visit = {
    ...world,
    configuration,
    engine: openSslEngine,
    hooks: awsCredentials === undefined ? {} : { awsCredentials },
    sendTo: wishes.sendTo,
  };
  return [...rows, ...(await providerRows(visit, wishes))];
}

function configurationOf(environment: Environment) {
  try {
    const configuration = readConfiguration(environment);
    const { mode, productionReasons } = configuration;
    const why = mode === 'production' ? ` (${productionReasons.join(', ')})` : '';
    return { configuration, row: { check: 'configuration', ...ok(`The configuration is good; ${mode}${why}.`) } };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map(
      ({ name, problem, allowed }): Row => ({
        check: 'configuration',
        ...fault(`${name} ${problem}.`, `Allowed: ${allowed}.`),
      }),
    );
  }
}

async function providerRows(visit: Visit, { testUser, withTotp = false }: Wishes): Promise<readonly Row[]> {
  const opened = await opening(visit);
  if ('result' in opened) {
    const untried = testUser === undefined ? [] : [{ check: 'login', ...fault('Not tried.', 'See the provider.') }];
    return [{ check: 'provider', ...opened }, ...untried];
  }
  try {
    const rows: Row[] = [];
    for (const { name, run } of PROVIDER_CHECKS) rows.push(...rowsOf(name, await run(opened, visit)));
    if (testUser === undefined) return rows;
    const rehearsal = { subject: opened, visit, user: testUser, withTotp, refreshTokens: new Set<string>() };
    return [...rows, ...(await rehearse({ ...rehearsal, hasTotp: false }))];
  } finally {
    await opened.close();
  }
}

async function opening(visit: Visit): Promise<Subject | Finding> {
  try {
    return await openSubject(visit);
  } catch (error) {
    if (error instanceof StartError) return fault(`${error.message}.`, 'A service does not start like this.');
    throw error;
  }
}
