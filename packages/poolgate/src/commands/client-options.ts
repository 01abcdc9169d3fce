import { type ClientChanges, listClientErrors } from '@poolgate/gateway';
import type { Invocation } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';

/** The option of each member of the routes. */
const LISTS = {
  callback: 'callback_urls',
  logout: 'logout_urls',
  flow: 'oauth_flows',
  scope: 'scopes',
  'identity-provider': 'identity_providers',
  'auth-flow': 'auth_flows',
} as const;

/** The settings from options, not validated. An empty text empties a list. */
function readMembers(invocation: Invocation): Readonly<Record<string, unknown>> {
  const lists = Object.entries(LISTS)
    .filter(([option]) => invocation.has(option))
    .map(([option, member]) => [member, invocation.values(option).filter((value) => value !== '')]);
  const [rotation] = invocation.values('rotation');
  return {
    ...Object.fromEntries(lists),
    ...(rotation === undefined ? {} : { refresh_token_rotation: parseRotation(rotation) }),
  };
}

function parseRotation(text: string): NonNullable<ClientChanges['refresh_token_rotation']> {
  if (text === 'off') return { enabled: false };
  if (!/^\d{1,2}$/.test(text)) throw new UsageError('--rotation must be off or a whole number of seconds from 0 to 60');
  return { enabled: true, grace_seconds: Number(text) };
}

const OPTION_BY_MEMBER: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LISTS).map(([option, member]) => [member, `--${option}`] as const),
  ['refresh_token_rotation', '--rotation'],
  ['client_name', 'the name of the client'],
]);

/**
 * The settings from options, validated like those of a request.
 * @throws {UsageError} a value that no client can have
 */
export function parseClientOptions<Settings extends ClientChanges>(
  kind: 'new' | 'changed',
  invocation: Invocation,
  more: Readonly<Record<string, unknown>>,
): Settings {
  const settings = { ...readMembers(invocation), ...more };
  const [error] = listClientErrors(kind, settings);
  if (error === undefined) return settings as Settings;
  const [member = ''] = error.field.split(/[.[]/);
  throw new UsageError(`${OPTION_BY_MEMBER.get(member) ?? member} ${error.message}`);
}
