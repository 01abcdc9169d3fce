import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OPERATION_NAMES, OPERATIONS, toMethodName } from '@poolgate/provider';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** What reads settings, and is called by its name. */
const SETTINGS = ['DescribeUserPool', 'DescribeUserPoolClient', 'GetUserPoolMfaConfig'];
/** What `poolgate export` also reads. Files are applied to the embedded pool only, so their other calls need no rights. */
const EXPORTED = [
  'DescribeIdentityProvider',
  'DescribeResourceServer',
  'DescribeUserPoolDomain',
  'GetUserPoolClientSessionConfiguration',
  'GetUserPoolSessionConfiguration',
  'ListIdentityProviders',
];

function sources(): string {
  const files = globSync(['packages/gateway/src/**/*.ts', 'packages/poolgate/src/**/*.ts'], { cwd: ROOT });
  const published = files.filter((file) => !/\.test\.ts$|\/testing\/|demo-user|poolgate\/src\/files\//.test(file));
  return published.map((file) => readFileSync(`${ROOT}${file}`, 'utf8')).join('\n');
}

test('the policy in the guide allows exactly the administrative operations that are called', () => {
  const code = sources();
  const admin = OPERATION_NAMES.filter((name) => OPERATIONS[name].access === 'admin');
  const called = admin.filter((name) => new RegExp(`\\b${toMethodName(name)}\\b`).test(code));
  const guide = readFileSync(`${ROOT}docs/reference/cognito.md`, 'utf8');
  const allowed = [...guide.matchAll(/"cognito-idp:(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(allowed, [...new Set([...called, ...SETTINGS, ...EXPORTED])].toSorted());
});

test('the guide names every capability that Cognito lacks', () => {
  const guide = readFileSync(`${ROOT}docs/reference/cognito.md`, 'utf8');
  const port = readFileSync(`${ROOT}packages/provider/src/port.ts`, 'utf8');
  const [, body = ''] = /interface ProviderExtensions \{(.*?)\n\}/s.exec(port) ?? [];
  const names = [...body.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name = '']) => name);
  assert.ok(names.length > 8);
  for (const name of names) assert.ok(guide.includes(`\`${name}\``), name);
});
