import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import { createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';
import { findRememberedStatus, listRememberedStatuses } from './remembered-status.ts';

const CALLER = { kind: 'user', username: 'u' } as UserCaller;
const CALL = { requestId: 'r', sourceAddress: '127.0.0.1' };
const device = (DeviceKey: string, status?: string) => ({
  DeviceKey,
  DeviceAttributes: status === undefined ? [] : [{ Name: 'dev:device_remembered_status', Value: status }],
});

test('all pages are read, and missing values stay missing', async () => {
  const asked: unknown[] = [];
  const provider = createTestProvider(() => [], {
    adminListDevices: async (input) => {
      asked.push(input);
      if (input.PaginationToken === undefined) {
        return { Devices: [device('a', 'remembered'), device('b', 'not_remembered')], PaginationToken: 'next' };
      }
      return { Devices: [device('c'), device('d', 'toString')] };
    },
  });
  const found = await listRememberedStatuses(createTestDeps({ provider }), CALLER, CALL);
  assert.deepEqual(
    [...found],
    [
      ['a', true],
      ['b', false],
    ],
  );
  const page = { UserPoolId: POOL.userPoolId, Username: 'u', Limit: 60 };
  assert.deepEqual(asked, [page, { ...page, PaginationToken: 'next' }]);
});

test('a provider that reports nothing to administrators is no failure; an outage is', async () => {
  const failing = (code: 'AccessDeniedException' | 'InternalErrorException') => {
    const fail = async (): Promise<never> => {
      throw new ProviderError(code, 'no');
    };
    return createTestDeps({ provider: createTestProvider(() => [], { adminListDevices: fail, adminGetDevice: fail }) });
  };
  assert.equal((await listRememberedStatuses(failing('AccessDeniedException'), CALLER, CALL)).size, 0);
  assert.equal(await findRememberedStatus(failing('AccessDeniedException'), CALLER, 'a', CALL), undefined);
  await assert.rejects(listRememberedStatuses(failing('InternalErrorException'), CALLER, CALL), ProviderError);
});
