import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
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

test('any other failure is not retried', async () => {
  let calls = 0;
  const wrong = new ProviderError('NotAuthorizedException', 'Incorrect username or password.');
  const call = retryWithoutUnknownDevice('k', async () => {
    calls += 1;
    throw wrong;
  });
  await assert.rejects(call, wrong);
  assert.equal(calls, 1);
});

test('without a device key there is nothing to omit', async () => {
  await assert.rejects(
    retryWithoutUnknownDevice(undefined, async () => {
      throw unknown;
    }),
    unknown,
  );
});

test("it is recognized by its reason, or by code and text together, and only in a provider's error", async () => {
  const tries = async (refusal: Error) => {
    let calls = 0;
    const call = retryWithoutUnknownDevice('k', async ({ DEVICE_KEY }) => {
      calls += 1;
      if (DEVICE_KEY !== undefined) throw refusal;
      return 'in';
    });
    return (await call.catch((error: unknown) => error)) === 'in' && calls === 2;
  };
  const reason = 'device_not_found';
  assert.ok(await tries(new ProviderError('ResourceNotFoundException', 'The DEVICE is gone.')));
  assert.ok(await tries(new ProviderError('InvalidParameterException', 'x', { reason })));
  assert.ok(!(await tries(new ProviderError('ResourceNotFoundException', 'User pool client does not exist.'))));
  assert.ok(!(await tries(new ProviderError('NotAuthorizedException', 'Device does not exist.'))));
  assert.ok(!(await tries(Object.assign(new Error('x'), { reason }))));
  assert.ok(await tries(new GatewayError('device_not_found', undefined, { cause: unknown })));
  assert.ok(!(await tries(new GatewayError('device_not_found'))));
});
