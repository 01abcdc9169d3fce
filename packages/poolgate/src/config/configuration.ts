import { DEVELOPMENT_SECRET_PREFIX } from '../secrets/secrets-file.ts';
import { combinationProblems } from './combinations.ts';
import type { InvalidSetting } from './configuration-error.ts';
import { ConfigurationError, repeatedValue } from './configuration-error.ts';
import type { Mode, ModeFacts } from './mode.ts';
import { developmentProblem, isExposed, isLoopback, PRIVATE_HOSTS, productionReasons } from './mode.ts';
import { type NearMiss, nearMisses } from './near-misses.ts';
import { providerProblems } from './provider-fit.ts';
import type { KnownSettings } from './setting.ts';
import type { SettingName, Settings } from './settings.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';
import type { Environment, Source, SourceValues } from './sources.ts';
import { FILE_VARIABLE, fromEnvironment, fromFile, fromOptions } from './sources.ts';
import { isUniform } from './uniform.ts';

/** The configuration that a start uses. */
export interface Configuration {
  readonly settings: Settings;
  /** Where each value comes from. */
  readonly sources: Readonly<Record<SettingName, Source | 'default'>>;
  readonly mode: Mode;
  /** Why the rules of production apply; empty in development. */
  readonly productionReasons: readonly string[];
  /** True: development that others can reach, so that nobody is believed to sit at this machine. */
  readonly isExposed: boolean;
  /** Environment variables that nearly have the name of a setting. */
  readonly nearMisses: readonly NearMiss[];
}

interface ReadSettings {
  readonly values: Map<SettingName, unknown>;
  readonly sources: Map<SettingName, Source>;
  readonly problems: InvalidSetting[];
}

function readSources(source: readonly SourceValues[]): ReadSettings {
  const read: ReadSettings = {
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
      const repeated = sensitive ? 'the value' : repeatedValue(input);
      read.problems.push({
        name: from.nameOf(name),
        problem: `${repeated} ${reading.problem}`,
        allowed: kind.allowed,
      });
    }
  }
  return read;
}

function withDefaults(values: ReadonlyMap<SettingName, unknown>): Settings {
  const value = (name: SettingName, known: KnownSettings): unknown =>
    values.has(name) ? values.get(name) : SETTINGS[name].fallback(known);
  const start: KnownSettings = { port: 0, dataDir: '', scheme: 'http', baseUrl: undefined };
  const scheme = values.has('tlsCert') || value('tls', start) === 'dev' ? 'https' : 'http';
  const first = { ...start, scheme, port: value('port', start), dataDir: value('dataDir', start) } as KnownSettings;
  const known = { ...first, baseUrl: value('baseUrl', first) } as KnownSettings;
  // Each value was read by the kind of its row, or is that row's default.
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, value(name, known)])) as Settings;
}

/** Problems about the mode itself: who can reach the service, and under which name. */
function modeProblems(facts: ModeFacts, reasons: readonly string[], isNamed: boolean): InvalidSetting[] {
  const problems: InvalidSetting[] = [];
  const problem = developmentProblem(facts);
  if (problem !== undefined) {
    const allowed = `false; or true, without NODE_ENV=production and with a BASE_URL that is ${PRIVATE_HOSTS}`;
    problems.push({ name: SETTINGS.development.env, problem, allowed });
  }
  if (reasons.length > 0 && !isLoopback(facts.host) && !isNamed) {
    problems.push({
      name: SETTINGS.baseUrl.env,
      problem:
        'is missing, and required because HOST is not a loopback address: only its host and loopback are answered',
      allowed: `${SETTINGS.baseUrl.kind.allowed}; or POOLGATE_DEVELOPMENT=true, for development in a container`,
    });
  }
  return problems;
}

/** The first secret encrypts, in development too. An older one must be accepted: how else could it be retired? */
function uniformProblems({ secrets: [first] = [] }: Settings): InvalidSetting[] {
  if (first === undefined || !isUniform(first)) return [];
  const { env, kind } = SETTINGS.secrets;
  const problem = 'begins with a secret that is too uniform to be random';
  return [{ name: env, problem, allowed: `a random one first, and the present one behind it: ${kind.allowed}` }];
}

function productionProblems({ secrets }: Settings, reasons: readonly string[]): InvalidSetting[] {
  const name = SETTINGS.secrets.env;
  const allowed = SETTINGS.secrets.kind.allowed;
  if (secrets === undefined)
    return [{ name, problem: `is missing, and required because ${reasons.join(' and ')}`, allowed }];
  return secrets.some((secret) => secret.startsWith(DEVELOPMENT_SECRET_PREFIX))
    ? [{ name, problem: 'holds a secret that a development start made', allowed: `another secret: ${allowed}` }]
    : [];
}

/**
 * Reads the configuration: options of the library's entry point, then the environment, then the file that it names, then defaults.
 *
 * @throws ConfigurationError with every problem of all of them.
 */
export function readConfiguration(
  environment: Environment,
  options: Readonly<Record<string, unknown>> = {},
): Configuration {
  const given = [fromOptions(options), fromEnvironment(environment), fromFile(environment[FILE_VARIABLE])];
  const { values, sources, problems } = readSources(given);
  const settings = withDefaults(values);
  const { host, baseUrl, development } = settings;
  const facts = { nodeEnv: environment.NODE_ENV, host, baseUrl, development };
  const reasons = productionReasons(facts);
  // A secret that is there but malformed has its own problem already.
  const secretsRead = !sources.has('secrets') || values.has('secrets');
  if (reasons.length > 0 && secretsRead) problems.push(...productionProblems(settings, reasons));
  const isGiven = (name: SettingName): boolean => sources.has(name);
  problems.push(...modeProblems(facts, reasons, isGiven('baseUrl')), ...uniformProblems(settings));
  if (reasons.length > 0 && settings.tls === 'dev') {
    const { env } = SETTINGS.tls;
    const allowed =
      'off; a certificate of your own by POOLGATE_TLS_CERT and POOLGATE_TLS_KEY; or a proxy with TLS in front';
    problems.push({ name: env, problem: `is dev, and this is production (${reasons.join(', ')})`, allowed });
  }
  const isInvalid = (name: SettingName): boolean => isGiven(name) && !values.has(name);
  problems.push(...providerProblems(settings, { isGiven, isInvalid }), ...combinationProblems(settings, isInvalid));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    settings,
    sources: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, sources.get(name) ?? 'default']),
    ) as Configuration['sources'],
    mode: reasons.length > 0 ? 'production' : 'development',
    productionReasons: reasons,
    isExposed: isExposed(facts),
    nearMisses: nearMisses(environment, isGiven),
  };
}
