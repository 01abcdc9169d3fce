import { ADMIN_ROUTES, type ApiCall, formatTarget } from './admin-routes.ts';

const SECRETS: ReadonlySet<string> = new Set(['temp_password']);

/** Formats a call of the API as a shell command. The key is a variable, and other secrets are left out. */
export function formatCurl(call: ApiCall, apiUrl: string): string {
  const { method } = ADMIN_ROUTES[call.name];
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${apiUrl}${formatTarget(call)}`)}`,
    `-H "Authorization: Bearer $POOLGATE_ADMIN_KEY"`,
    ...(method === 'GET' ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(formatBody(call.body ?? {}))}`]),
  ];
  return lines.join(' \\\n  ');
}

function formatBody(body: object): string {
  return JSON.stringify(body, (name, value: unknown) => (SECRETS.has(name) ? '…' : value));
}

/** Nothing in single quotes has a meaning for a shell, except the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
