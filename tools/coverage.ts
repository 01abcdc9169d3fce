import {
  type AccessRow,
  EMPTY_OPERATIONS,
  type EmptyOperationRow,
  OPERATIONS,
  REFUSED_OPERATIONS,
  type RefusedOperationRow,
} from '@poolgate/provider';
import type { GeneratedFile } from './generated-files.ts';

const CALLER: Readonly<Record<AccessRow['access'], string>> = {
  client: 'anyone with a client ID',
  'access-token': 'a user with an access token',
  'access-token-or-session': 'a user with an access token or a session',
  admin: 'an admin key',
};

function formatCaller(row: AccessRow): string {
  return row.access === 'admin' ? `${CALLER.admin} with \`${row.scope}\`` : CALLER[row.access];
}

const works: readonly [string, AccessRow][] = Object.entries(OPERATIONS);
const empty: readonly [string, EmptyOperationRow][] = Object.entries(EMPTY_OPERATIONS);
const refused: readonly [string, RefusedOperationRow][] = Object.entries(REFUSED_OPERATIONS);
const lines = [
  ...works.map(([name, row]) => `| \`${name}\` | supported | ${formatCaller(row)} | |`),
  ...empty.map(([name, row]) => `| \`${name}\` | empty result | ${formatCaller(row)} | |`),
  ...refused.map(([name, row]) => `| \`${name}\` | refused | ${formatCaller(row)} | \`${row.code}\`: ${row.message} |`),
].toSorted();

/** Generates docs/reference/coverage.md: how the embedded pool supports each operation of the Amazon Cognito user pools API. */
export function generateCoverage(): readonly GeneratedFile[] {
  const text = `# Coverage of the Cognito API

What the embedded pool does with each of the ${lines.length} operations of the Amazon Cognito user pools API. \`tools/coverage.ts\` generates this page.

- **Supported**: ${works.length} operations work.
- **Empty result**: ${empty.length} operations read something that no pool here has.
- **Refused**: ${refused.length} operations fail with an error that Cognito declares for them. The service authenticates the caller first.

[Pools and app clients](pools.md) lists what each setting does.

| Operation | Status | Who can call it | Error |
|---|---|---|---|
${lines.join('\n')}
`;
  return [{ file: 'docs/reference/coverage.md', text }];
}
