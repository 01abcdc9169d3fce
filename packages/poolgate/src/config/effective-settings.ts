import type { Configuration } from './configuration.ts';
import { toFileKey } from './setting.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS } from './settings.ts';

/** One effective value, ready to be shown: no secret in it. */
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
      : [`Only with \`IDP_PROVIDER=${only}\`: with another provider, setting one is an error.`, '']),
    '| Variable | In the file | Default | Allowed | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const INTRODUCTION = `# Configuration

Settings come from environment variables, or from a JSON file whose path is in \`POOLGATE_CONFIG\`. A variable wins over the file; an empty variable counts as unset.
Everything is checked at once before anything starts: every error is printed, one line each, and the exit code is 2. A name that starts with \`IDP_\` or \`POOLGATE_\` and is not known is an error too.
\`poolgate config\` prints the effective values and where each comes from, without secrets.

**Development** is: \`NODE_ENV\` is not \`production\`, \`HOST\` is loopback, and \`BASE_URL\` is unset or loopback; or \`POOLGATE_DEVELOPMENT=true\`, as in a container.
The first start then makes its own secrets in \`<POOLGATE_DATA_DIR>/secrets.json\` (nobody else may read it), keeps messages in the outbox at \`GET /dev/outbox\`, creates the demo user and prints how to log in.
Everything else is **production**: \`POOLGATE_SECRET\` is required, a store that holds the demo user or was encrypted with development secrets is refused, and there is neither outbox nor demo user.

A setting that protects less than it could is refused, or warned of at each start and by \`poolgate doctor\`: a secret that is too uniform to be random, an http \`BASE_URL\`, every address as a trusted
proxy, a limit of 0, a PostgreSQL server elsewhere without TLS.

This page is written by \`poolgate config --reference\`.`;

/** The reference page of the configuration, in Markdown. */
export function formatReferencePage(): string {
  return [INTRODUCTION, ...SETTING_GROUPS.map(formatGroupTable), ''].join('\n\n').replace(/\n+$/, '\n');
}
