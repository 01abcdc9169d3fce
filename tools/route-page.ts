import { listAddresses, listQueryMembers, type Route, type Schema } from '@poolgate/contract';
import { ROUTE_FAMILIES } from '../packages/contract/src/route-table.ts';
import type { GeneratedFile } from './generated-files.ts';

const INTRODUCTION = `# List of HTTP routes

Every route with its access, parameters and response. \`tools/route-page.ts\` generates this page from the contract. \`GET /openapi.json\` of a running service has the schemas, and \`GET /docs\` shows them as a page.
[HTTP API](api.md) explains the conventions, the columns and the errors.

- **Access**: \`recent\` requires a recent login. An admin key needs the named scope.
- **Parameters**: optional names end in \`?\`. Names after \`?\` in the first column are in the query.
- **Response**: members besides \`status\`, \`message\` and \`data\`. *Outcome* means tokens or the next challenge.`;

const ACCESS: Readonly<Record<Route['guard'], string>> = {
  public: 'public',
  user: 'user',
  'user-or-session': 'user or session',
  admin: 'admin key',
  operator: 'operator',
};

const formatCode = (text: string): string => `\`${text}\``;

function formatAddresses(route: Route): string {
  const query = Object.keys(listQueryMembers(route)?.properties ?? {});
  const suffix = query.length === 0 ? '' : `?${query.join('&')}`;
  return listAddresses(route)
    .map(({ method, path }, index) => formatCode(`${method} ${path}${index === 0 ? suffix : ''}`))
    .join('<br>');
}

function formatAccess({ guard, scope, recentLogin }: Route): string {
  const scoped = scope === undefined ? ACCESS[guard] : `${ACCESS[guard]}, ${formatCode(scope)}`;
  return recentLogin ? `${scoped}, recent` : scoped;
}

const UNLISTED: ReadonlySet<string> = new Set(['status', 'message', 'data']);

function listMembers(schema: Schema | undefined): readonly string[] {
  if (schema === undefined || !('properties' in schema)) return [];
  const required: readonly string[] = schema.required ?? [];
  return Object.keys(schema.properties)
    .filter((name) => !UNLISTED.has(name))
    .map((name) => formatCode(required.includes(name) ? name : `${name}?`));
}

function formatResponse({ responses }: Route): string {
  const [[status, response] = []] = Object.entries(responses);
  if (response === undefined) return '';
  if ('anyOf' in response.schema) return 'outcome';
  return [...(status === '201' ? ['201'] : []), ...listMembers(response.schema)].join(', ');
}

function formatRoute(route: Route): string {
  const cells = [formatAddresses(route), `${route.summary}.`, formatAccess(route), listMembers(route.body).join(', ')];
  return `| ${[...cells, formatResponse(route)].join(' | ')} |`;
}

function formatFamily({ name, routes }: (typeof ROUTE_FAMILIES)[number]): string {
  const header = ['| Route | Purpose | Access | Parameters | Response |', '|---|---|---|---|---|'];
  return [`## ${name}`, '', ...header, ...Object.values(routes).map(formatRoute)].join('\n');
}

/** Generates the list of routes in docs/reference/routes.md from the contract. */
export function generateRoutePage(): readonly GeneratedFile[] {
  const text = `${[INTRODUCTION, ...ROUTE_FAMILIES.map(formatFamily)].join('\n\n')}\n`;
  return [{ file: 'docs/reference/routes.md', text }];
}
