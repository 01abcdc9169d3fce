import {
  type AccessRow,
  EMPTY_OPERATIONS,
  type EmptyOperationRow,
  OPERATIONS,
  REFUSED_OPERATIONS,
  type RefusedOperationRow,
} from '@poolgate/provider';
import type { GeneratedFile } from './generated-files.ts';

const ASKER: Readonly<Record<AccessRow['access'], string>> = {
  client: 'anybody, with a client id',
  'access-token': 'a user, with an access token',
  'access-token-or-session': 'a user, with an access token or a session',
  admin: 'an admin key',
};

function formatAsker(row: AccessRow): string {
  return row.access === 'admin' ? `${ASKER.admin} with \`${row.scope}\`` : ASKER[row.access];
}

const works: readonly [string, AccessRow][] = Object.entries(OPERATIONS);
const empty: readonly [string, EmptyOperationRow][] = Object.entries(EMPTY_OPERATIONS);
const refused: readonly [string, RefusedOperationRow][] = Object.entries(REFUSED_OPERATIONS);
const lines = [
  ...works.map(([name, row]) => `| \`${name}\` | works | ${formatAsker(row)} | |`),
  ...empty.map(([name, row]) => `| \`${name}\` | finds nothing | ${formatAsker(row)} | |`),
  ...refused.map(([name, row]) => `| \`${name}\` | refused | ${formatAsker(row)} | \`${row.code}\`: ${row.message} |`),
].toSorted();

/** docs/reference/coverage.md: what the embedded pool does with each operation of the Amazon Cognito user-pools API. */
export function generateCoverage(): readonly GeneratedFile[] {
  const text = `# What works of the Cognito API

Written by \`tools/coverage.ts\`. The embedded pool answers all ${lines.length} operations of the Amazon Cognito user-pools API: ${works.length} work,
${empty.length} find nothing, since no pool here has what they read, and ${refused.length} are refused with an error that Cognito itself declares for them. Nothing is accepted in silence. Who may not ask is told so before
anything else is looked at. What becomes of each setting of a pool and of an app client is in [pools.md](pools.md).

| Operation | | Who may ask | Answer where it is refused |
|---|---|---|---|
${lines.join('\n')}
`;
  return [{ file: 'docs/reference/coverage.md', text }];
}
