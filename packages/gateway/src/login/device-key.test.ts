import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { retryWithoutUnknownDevice } from './device-key.ts';

const unknown = new ProviderError('ResourceNotFoundException', 'Device does not exist.', {
  reason: 'device_not_found',
});

test('a device that the provider does not know leads to the normal login', async () => {
  const calls: unknown[] = [];
  const answer = await retryWithoutUnknownDevice('k', async (parameter) => {
    calls.push(parameter);
    if (parameter.DEVICE_KEY !== undefined) throw unknown;
    return 'in';
  });
  assert.equal(answer, 'in');
  assert.deepEqual(calls, [{ DEVICE_KEY: 'k' }, {}]);
});

test('any other failure is tried once only', async () => {
  let calls = 0;
  const wrong = new ProviderError('NotAuthorizedException', 'Incorrect username or password.');
  const call = retryWithoutUnknownDevice('k', async () => {
    calls += 1;
    throw wrong;
  });
  await assert.rejects(call, wrong);
  assert.equal(calls, 1);
});

test('without a device key there is nothing to leave out', async () => {
  await assert.rejects(
    retryWithoutUnknownDevice(undefined, async () => {
      throw unknown;
    }),
    unknown,
  );
});
