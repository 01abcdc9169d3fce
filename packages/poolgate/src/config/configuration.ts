/** The settings: one table (`settings`) with the type, default and help of each, read from the environment and a JSON file. */
import { DEVELOPMENT_SECRET_PREFIX } from '../secrets/secrets-file.ts';
import type { InvalidSetting } from './configuration-error.ts';
import { ConfigurationError, formatInvalidValue } from './configuration-error.ts';
import { findMisspelledVariables, type MisspelledVariable } from './misspelled-variables.ts';
import type { Mode, ModeFacts } from './mode.ts';
import {
  findDevelopmentProblem,
  isExposedDevelopment,
  isLoopback,
  listProductionReasons,
  PRIVATE_HOSTS_TEXT,
} from './mode.ts';
import { findProviderProblems } from './provider-compatibility.ts';
import { isRepetitiveSecret } from './repetitive-secret.ts';
import type { DefaultInputs } from './setting.ts';
import { findCombinationProblems } from './setting-combinations.ts';
import type { Environment, SettingSource, SourceValues } from './setting-sources.ts';
import { CONFIG_FILE_VARIABLE, readConfigFile, readEnvironment, readOptions } from './setting-sources.ts';
import type { SettingName, Settings } from './settings.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';

/** The configuration of a start. */
export interface Configuration {
  readonly settings: Settings;
  /** Where each value comes from. */
  readonly sources: Readonly<Record<SettingName, SettingSource | 'default'>>;
  readonly mode: Mode;
  /** Why production rules apply; empty in development. */
  readonly productionReasons: readonly string[];
  /** True for a development start that others can reach, so that local callers are not trusted. */
  readonly isExposed: boolean;
  /** Environment variables whose names are close to a setting's. */
  readonly misspelledVariables: readonly MisspelledVariable[];
}

interface SettingMerge {
  readonly values: Map<SettingName, unknown>;
  readonly sources: Map<SettingName, SettingSource>;
  readonly problems: InvalidSetting[];
}

function mergeSources(source: readonly SourceValues[]): SettingMerge {
  const read: SettingMerge = {
    values: new Map(),
    sources: new Map(),
    problems: source.flatMap(({ problems }) => problems),
  };
  for (const name of SETTING_NAMES) {
    const from = source.find(({ values }) => values.has(name));
    if (from === undefined) continue;
    const { kind, sensitive } = SETTINGS[name];
    const input = from.values.get(name);
    const reading = kind.read(input);
    read.sources.set(name, from.source);
    if (reading.ok) read.values.set(name, reading.value);
    else {
      const repeated = sensitive ? 'the value' : formatInvalidValue(input);
      read.problems.push({
        name: from.toSourceName(name),
        problem: `${repeated} ${reading.problem}`,
        allowed: kind.allowed,
      });
    }
  }
  return read;
}

function applyDefaults(values: ReadonlyMap<SettingName, unknown>): Settings {
  const value = (name: SettingName, known: DefaultInputs): unknown =>
    values.has(name) ? values.get(name) : SETTINGS[name].fallback(known);
  const start: DefaultInputs = { port: 0, dataDir: '', scheme: 'http', baseUrl: undefined };
  const scheme = values.has('tlsCert') || value('tls', start) === 'dev' ? 'https' : 'http';
  const first = { ...start, scheme, port: value('port', start), dataDir: value('dataDir', start) } as DefaultInputs;
  const known = { ...first, baseUrl: value('baseUrl', first) } as DefaultInputs;
  // Each value was parsed by its row's kind, or is that row's default.
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, value(name, known)])) as Settings;
}

/** Problems of the mode itself: who can reach the service, and under which name. */
function findModeProblems(facts: ModeFacts, reasons: readonly string[], isNamed: boolean): InvalidSetting[] {
  const problems: InvalidSetting[] = [];
  const problem = findDevelopmentProblem(facts);
  if (problem !== undefined) {
    const allowed = `false; or true, without NODE_ENV=production and with a BASE_URL that is ${PRIVATE_HOSTS_TEXT}`;
    problems.push({ name: SETTINGS.development.env, problem, allowed });
  }
  if (reasons.length > 0 && !isLoopback(facts.host) && !isNamed) {
    problems.push({
      name: SETTINGS.baseUrl.env,
      problem:
        'is missing. It is required because HOST is not a loopback address, and the service only answers requests for the host of BASE_URL',
      allowed: `${SETTINGS.baseUrl.kind.allowed}; or POOLGATE_DEVELOPMENT=true, for development in a container`,
    });
  }
  return problems;
}

/** Only the first secret, which encrypts, is checked, in development too. An older one must be accepted to be replaced. */
function findRepetitiveSecrets({ secrets: [first] = [] }: Settings): InvalidSetting[] {
  if (first === undefined || !isRepetitiveSecret(first)) return [];
  const { env, kind } = SETTINGS.secrets;
  const problem = 'starts with a secret that is not random enough';
  return [{ name: env, problem, allowed: `a random secret first and the current one after it: ${kind.allowed}` }];
}

function findProductionProblems({ secrets }: Settings, reasons: readonly string[]): InvalidSetting[] {
  const name = SETTINGS.secrets.env;
  const allowed = SETTINGS.secrets.kind.allowed;
  if (secrets === undefined)
    return [{ name, problem: `is missing. It is required because ${reasons.join(' and ')}`, allowed }];
  return secrets.some((secret) => secret.startsWith(DEVELOPMENT_SECRET_PREFIX))
    ? [{ name, problem: 'contains a secret that was generated in development', allowed: `a new secret: ${allowed}` }]
    : [];
}

/**
 * Reads the configuration: options of the library's entry point, then the environment, then the file that it names, then defaults.
 *
 * @throws ConfigurationError with all problems
 */
export function readConfiguration(
  environment: Environment,
  options: Readonly<Record<string, unknown>> = {},
): Configuration {
  const given = [readOptions(options), readEnvironment(environment), readConfigFile(environment[CONFIG_FILE_VARIABLE])];
  const { values, sources, problems } = mergeSources(given);
  const settings = applyDefaults(values);
  const { host, baseUrl, development } = settings;
  const facts = { nodeEnv: environment.NODE_ENV, host, baseUrl, development };
  const reasons = listProductionReasons(facts);
  // A malformed secret already has its own problem.
  const secretsRead = !sources.has('secrets') || values.has('secrets');
  if (reasons.length > 0 && secretsRead) problems.push(...findProductionProblems(settings, reasons));
  const isGiven = (name: SettingName): boolean => sources.has(name);
  problems.push(...findModeProblems(facts, reasons, isGiven('baseUrl')), ...findRepetitiveSecrets(settings));
  if (reasons.length > 0 && settings.tls === 'dev') {
    const { env } = SETTINGS.tls;
    const allowed = 'off, your own certificate in POOLGATE_TLS_CERT and POOLGATE_TLS_KEY, or a TLS proxy in front';
    problems.push({ name: env, problem: `is dev, and this is production (${reasons.join(', ')})`, allowed });
  }
  const isInvalid = (name: SettingName): boolean => isGiven(name) && !values.has(name);
  problems.push(
    ...findProviderProblems(settings, { isGiven, isInvalid }),
    ...findCombinationProblems(settings, isInvalid),
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    settings,
    sources: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, sources.get(name) ?? 'default']),
    ) as Configuration['sources'],
    mode: reasons.length > 0 ? 'production' : 'development',
    productionReasons: reasons,
    isExposed: isExposedDevelopment(facts),
    misspelledVariables: findMisspelledVariables(environment, isGiven),
  };
}
