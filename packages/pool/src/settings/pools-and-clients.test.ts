import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestRecords, type TestRecords } from '../testing/test-records.ts';
import { findPoolIdByClient, requireClientAndPool, requirePool } from './pools-and-clients.ts';
import { createSettingsCache, type SettingsPorts } from './settings-ports.ts';

describe('the pool and its client', () => {
  let opened: TestRecords;
  let ports: SettingsPorts;
  before(async () => {
    opened = await openTestRecords();
    ports = { store: opened.store, settingsCache: createSettingsCache(opened.clock) };
  });
  after(() => opened.close());

  it('are found by the client ID', async () => {
    const { pool, client } = opened;
    assert.equal(await findPoolIdByClient(ports, client.id), pool.id);
    assert.deepEqual(await requireClientAndPool(ports, client.id), { pool, client });
  });

  it('are not found by an unknown ID', async () => {
    assert.equal(await findPoolIdByClient(ports, 'unknown'), undefined);
    await assert.rejects(requireClientAndPool(ports, 'unknown'), { code: 'ResourceNotFoundException' });
    await assert.rejects(requirePool(ports, 'unknown'), { code: 'ResourceNotFoundException' });
  });
});
