import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckedIdentityProvider } from '@poolgate/pool';
import { checkIdentityProviders } from './check-identity-providers.ts';

async function check(facts: Pick<CheckedIdentityProvider, 'problem' | 'redirectAddress'>, poolId: string) {
  const checkAll = async (toRedirectUri: (id: string) => string) => [
    { ...facts, userPoolId: poolId, name: 'Corp', redirectUri: toRedirectUri(poolId) },
  ];
  const parts = {
    backend: { embedded: { pool: { checkIdentityProviders: checkAll } } },
    configuration: { settings: { baseUrl: 'https://id.example.com' } },
  };
  return checkIdentityProviders(parts as unknown as Parameters<typeof checkIdentityProviders>[0], 'served');
}

test('each provider of a pool has a finding with the address that must be registered there', async () => {
  const rows = [
    [{ redirectAddress: 'accepted' }, 'ok'],
    [{ redirectAddress: 'unknown' }, 'warn'],
    [{ redirectAddress: 'refused' }, 'fault'],
  ] as const;
  for (const [facts, result] of rows) {
    const [served] = await check(facts, 'served');
    assert.equal(served?.result, result);
    assert.match(
      served?.finding ?? '',
      /Corp of the pool served .* https:\/\/id\.example\.com\/oauth2\/idpresponse\.$/,
    );
    const [other] = await check(facts, 'other');
    assert.match(other?.finding ?? '', / https:\/\/id\.example\.com\/other\/oauth2\/idpresponse\.$/);
  }
});

test('a provider with which no user can sign in is a fault', async () => {
  for (const problem of ['discovery', 'keys', 'client'] as const) {
    const [finding] = await check({ problem, redirectAddress: 'unknown' }, 'served');
    assert.equal(finding?.result, 'fault', problem);
  }
});
