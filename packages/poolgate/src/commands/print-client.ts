import type { ClientBody } from '@poolgate/gateway';
import type { Invocation, Terminal } from '../command-line/command.ts';
import { toJsonLine, toSingleLine } from '../process/one-line.ts';

function formatRotation({ refresh_token_rotation: { enabled, grace_seconds } }: ClientBody): string {
  return enabled ? `on, the old one stays valid for ${grace_seconds} seconds` : 'off';
}

/** In the form that `--set` accepts. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listRows(client: ClientBody): readonly (readonly [label: string, value: string])[] {
  const list = (values: readonly string[]): string => values.join(' ') || '-';
  return [
    ['client id', client.client_id],
    ['name', client.client_name],
    ['secrets', list(client.secrets.map(({ secret_id }) => secret_id))],
    ['callback', list(client.callback_urls)],
    ['logout', list(client.logout_urls)],
    ['flows', list(client.oauth_flows)],
    ['scopes', list(client.scopes)],
    ['API flows', list(client.auth_flows)],
    ['refresh token rotation', formatRotation(client)],
    ...Object.entries(client.extensions).map(([name, value]) => [name, toText(value)] as const),
  ];
}

/** Prints an app client, one setting a line or as JSON, followed by a new secret, which is shown only once. */
export function printClient(
  client: ClientBody,
  secret: string | undefined,
  invocation: Invocation,
  terminal: Terminal,
): void {
  if (invocation.has('json')) {
    terminal.out(toJsonLine({ ...client, ...(secret === undefined ? {} : { client_secret: secret }) }));
    return;
  }
  for (const [label, value] of listRows(client)) terminal.out(`${label}: ${toSingleLine(value)}`);
  if (secret !== undefined) terminal.out(`client secret, shown only once: ${secret}`);
}
