import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EMPTY_OPERATIONS, OPERATIONS, REFUSED_OPERATIONS } from '@poolgate/provider';

interface Model {
  readonly operations: Readonly<
    Record<string, { readonly input: { readonly members?: Readonly<Record<string, unknown>> } }>
  >;
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const model: Model = JSON.parse(read('packages/provider/src/cognito-ops.json'));

test('docs/reference/coverage.md has one row for every operation of the service: supported, with an empty result, or refused', () => {
  const rows = [...read('docs/reference/coverage.md').matchAll(/^\| `(\w+)` \| (supported|empty result|refused) \|/gm)];
  const named = (what: string) => rows.filter(([, , said]) => said === what).map(([, name]) => name);
  assert.deepEqual(named('supported').toSorted(), Object.keys(OPERATIONS).toSorted());
  assert.deepEqual(named('empty result').toSorted(), Object.keys(EMPTY_OPERATIONS).toSorted());
  assert.deepEqual(named('refused').toSorted(), Object.keys(REFUSED_OPERATIONS).toSorted());
  assert.equal(rows.length, Object.keys(model.operations).length);
  assert.deepEqual(rows.map(([, name]) => name).toSorted(), Object.keys(model.operations).toSorted());
});

test('docs/reference/pools.md has a row for every setting of pools, factors and clients', () => {
  const text = read('docs/reference/pools.md');
  for (const name of [
    'CreateUserPool',
    'UpdateUserPool',
    'SetUserPoolMfaConfig',
    'CreateUserPoolClient',
    'UpdateUserPoolClient',
  ]) {
    const members = Object.keys(model.operations[name]?.input.members ?? {});
    assert.ok(members.length > 5, name);
    for (const member of members.filter((one) => one !== 'UserPoolId' && one !== 'ClientId')) {
      const row = text
        .split('\n')
        .find((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${member}\``));
      assert.match(row ?? '', /\| (supported|stored but ignored|as documented) \|/, `${name}.${member}`);
    }
  }
});
