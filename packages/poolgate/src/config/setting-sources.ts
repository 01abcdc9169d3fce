import { readFileSync } from 'node:fs';
import { findJsonErrorPosition } from '@poolgate/provider';
import type { InvalidSetting } from './configuration-error.ts';
import { toFileKey } from './setting.ts';
import type { SettingName } from './settings.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';
import { findSuggestion } from './suggestion.ts';

/** The variable with the path of the JSON file. */
export const CONFIG_FILE_VARIABLE = 'POOLGATE_CONFIG';

/** The variable with the password of `poolgate doctor`'s test user. It is not a setting: a service never reads it. */
export const TEST_PASSWORD_VARIABLE = 'POOLGATE_TEST_PASSWORD';

/** The variable with the admin key for the commands in the docs. It is not a setting: a service never reads it. */
export const ADMIN_KEY_VARIABLE = 'POOLGATE_ADMIN_KEY';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The source of a value; an earlier one overrides a later one. */
export type SettingSource = 'option' | 'environment' | 'file';

/** The content of a source: values by setting, and unknown names. */
export interface SourceValues {
  readonly source: SettingSource;
  readonly values: ReadonlyMap<SettingName, unknown>;
  readonly problems: readonly InvalidSetting[];
  /** The name of a setting in this source. */
  toSourceName(setting: SettingName): string;
}

function toUnknownNameProblem(name: string, known: readonly string[]): InvalidSetting {
  const near = findSuggestion(name, known);
  return {
    name,
    problem: 'is not a configuration key',
    allowed: near === undefined ? 'the keys of docs/reference/configuration.md' : `did you mean ${near}?`,
  };
}

function pick(
  source: SettingSource,
  entries: readonly [string, unknown][],
  toSourceName: (setting: SettingName) => string,
): SourceValues {
  const settings = new Map(SETTING_NAMES.map((setting) => [toSourceName(setting), setting]));
  const values = new Map<SettingName, unknown>();
  const problems: InvalidSetting[] = [];
  for (const [name, value] of entries) {
    const setting = settings.get(name);
    if (setting === undefined) problems.push(toUnknownNameProblem(name, [...settings.keys()]));
    else values.set(setting, value);
  }
  return { source, values, problems, toSourceName };
}

/** The options of the library's entry point: settings by their names in code. */
export function readOptions(options: Readonly<Record<string, unknown>>): SourceValues {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return pick('option', entries, (setting) => setting);
}

const NO_SETTINGS: ReadonlySet<string> = new Set([CONFIG_FILE_VARIABLE, TEST_PASSWORD_VARIABLE, ADMIN_KEY_VARIABLE]);

/** The environment. An empty variable counts as unset, because compose files and shells write it. */
export function readEnvironment(environment: Environment): SourceValues {
  const toSourceName = (setting: SettingName): string => SETTINGS[setting].env;
  const plain = new Set(SETTING_NAMES.map(toSourceName));
  const entries = Object.entries(environment).filter(
    ([name, value]) =>
      value !== undefined &&
      value !== '' &&
      !NO_SETTINGS.has(name) &&
      (plain.has(name) || /^(IDP|POOLGATE)_/.test(name)),
  );
  return pick('environment', entries, toSourceName);
}

function parseFile(path: string): Readonly<Record<string, unknown>> | string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
  }
  try {
    const parsed: unknown = JSON.parse(content);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Readonly<Record<string, unknown>>) : 'does not contain a JSON object';
  } catch {
    // The parser's message quotes the text, which may contain a secret.
    const position = findJsonErrorPosition(content);
    return position === undefined
      ? 'is not valid JSON'
      : `is invalid JSON at line ${position.line}, column ${position.column}`;
  }
}

/** The JSON file that the environment names; empty without one. */
export function readConfigFile(path: string | undefined): SourceValues {
  const toSourceName = (setting: SettingName): string => toFileKey(SETTINGS[setting].env);
  if (path === undefined || path === '') return pick('file', [], toSourceName);
  const parsed = parseFile(path);
  if (typeof parsed !== 'string') return pick('file', Object.entries(parsed), toSourceName);
  const problem = {
    name: CONFIG_FILE_VARIABLE,
    problem: `${path} ${parsed}`,
    allowed: 'the path of a JSON file with an object',
  };
  return { ...pick('file', [], toSourceName), problems: [problem] };
}
