import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperations, type IdentityProvider, OAuthError, ProviderError } from '@poolgate/provider';
import { createMetrics } from './metrics.ts';
import { observeProvider } from './observe-provider.ts';

const FAILURES = [
  { error: new ProviderError('UserNotFoundException', 'User does not exist.'), outcome: 'UserNotFoundException' },
  { error: new OAuthError('invalid_grant', 'The code is used.'), outcome: 'NotAuthorizedException' },
  { error: new TypeError('undefined is not a function'), outcome: 'defect' },
];

for (const { error, outcome } of FAILURES) {
  test(`a call that fails with ${error.name} is counted as ${outcome}, and the caller gets the same error`, async () => {
    const metrics = createMetrics();
    const fail = () => Promise.reject(error);
    const provider = {
      operations: createOperations(() => fail),
      extensions: { oauth: { refresh: fail } },
    } as unknown as IdentityProvider;
    const { extensions } = observeProvider(provider, { metrics, tracing: undefined });
    const input = { UserPoolId: 'pool', ClientId: 'client', RefreshToken: 'token' };
    await assert.rejects(
      async () => extensions.oauth?.refresh(input, { requestId: 'request', sourceAddress: '192.0.2.1' }),
      (thrown) => thrown === error,
    );
    assert.match(
      await metrics.text(),
      new RegExp(`^poolgate_operations_total\\{operation="refresh",outcome="${outcome}"\\} 1$`, 'm'),
    );
  });
}

test('code that catches errors of operations does not catch those of the OAuth endpoints', () => {
  assert.equal(new OAuthError('invalid_grant', 'The code is used.') instanceof ProviderError, false);
});
