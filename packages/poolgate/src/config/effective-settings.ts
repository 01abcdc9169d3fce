import type { Configuration } from './configuration.ts';
import { toFileKey } from './setting.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS } from './settings.ts';

/** An effective value for display, without secrets. */
export interface EffectiveSetting {
  readonly key: string;
  readonly value: string;
  readonly source: string;
}

/** The effective configuration without secrets. */
export function listEffectiveSettings(configuration: Configuration): readonly EffectiveSetting[] {
  return SETTING_NAMES.map((name) => ({
    key: SETTINGS[name].env,
    value: SETTINGS[name].kind.show(configuration.settings[name]),
    source: configuration.sources[name],
  }));
}

const escapeCell = (words: string): string => words.replaceAll('|', '\\|');
const formatCode = (words: string): string =>
  words === '' ? 'empty' : /[`( ]|^none$/.test(words) ? words : `\`${words}\``;

function formatGroupTable({ title, settings, only }: (typeof SETTING_GROUPS)[number]): string {
  const rows = Object.values(settings).map(
    ({ env, defaultText, kind, help }) =>
      `| \`${env}\` | \`${toFileKey(env)}\` | ${formatCode(defaultText)} | ${escapeCell(kind.allowed)} | ${escapeCell(help)} |`,
  );
  return [
    `## ${title}`,
    '',
    ...(only === undefined
      ? []
      : [`These settings require \`IDP_PROVIDER=${only}\`. With another provider they are errors.`, '']),
    '| Variable | Name in the file | Default | Allowed values | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const INTRODUCTION = `# Configuration

Every setting of the service. Set it as an environment variable, or in a JSON file whose path is in \`POOLGATE_CONFIG\`. Variables override the file, and an empty variable counts as not set. \`poolgate config --reference\` generates this page.

The start checks all settings at once. It prints one line per error and exits with code 2. Unknown names that begin with \`IDP_\` or \`POOLGATE_\` are errors. \`poolgate config\` prints the effective values and their sources, without secrets.

## Development and production

A start is **development** if \`NODE_ENV\` is not \`production\`, \`HOST\` is loopback, and \`BASE_URL\` is loopback or not set. In a container, set \`POOLGATE_DEVELOPMENT=true\`. The first start creates secrets in \`<POOLGATE_DATA_DIR>/secrets.json\`, readable by its owner only, creates a demo user and prints
how to sign in. Messages go to the outbox at \`GET /dev/outbox\`.

Every other start is **production**. It requires \`POOLGATE_SECRET\` and has no outbox and no demo user. It refuses a store that contains the demo user or was encrypted with development secrets.

Weak settings are refused, or reported at each start and by \`poolgate doctor\`. Examples are a secret that is not random, a \`BASE_URL\` without HTTPS, every address as a trusted proxy, a limit of 0, or a remote PostgreSQL server without TLS.`;

/** The reference page of the configuration, in Markdown. */
export function formatReferencePage(): string {
  return [INTRODUCTION, ...SETTING_GROUPS.map(formatGroupTable), ''].join('\n\n').replace(/\n+$/, '\n');
}
