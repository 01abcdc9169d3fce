import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PoolSettings } from '../store/index.ts';
import { portsWithoutStore } from '../testing/ports-without-store.ts';
import { createTestPoolRecord } from '../testing/test-ports.ts';
import { createLoginCandidate } from './find-login-candidate.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const EMAIL = 'nobody@example.com';
const PHONE = '+15551230001';
const NAME = 'nobody';

const ports = portsWithoutStore();
const pool = createTestPoolRecord();

function decoyOf(settings: Partial<PoolSettings>, name: string): string {
  return createLoginCandidate(ports, { ...pool, settings: { ...pool.settings, ...settings } }, name, undefined).userId;
}

it('an unknown user has the username that a user of such a pool would have', () => {
  const rows: readonly (readonly [
    settings: Partial<PoolSettings>,
    own: readonly string[],
    others: readonly string[],
  ])[] = [
    [{ usernameAttributes: ['email'], aliasAttributes: [] }, [], [EMAIL, NAME]],
    [{ usernameAttributes: [], aliasAttributes: [] }, [NAME, EMAIL, PHONE], []],
    [{ usernameAttributes: [], aliasAttributes: ['email'] }, [NAME, PHONE], [EMAIL]],
    [{ usernameAttributes: [], aliasAttributes: ['phone_number'] }, [NAME, EMAIL], [PHONE]],
    [{ usernameAttributes: [], aliasAttributes: ['email', 'phone_number'] }, [NAME], [EMAIL, PHONE]],
  ];
  for (const [settings, own, others] of rows) {
    for (const name of own) assert.equal(decoyOf(settings, name), name, JSON.stringify([settings, name]));
    for (const name of others) assert.match(decoyOf(settings, name), UUID, JSON.stringify([settings, name]));
  }
});

it('half of unknown preferred usernames are usernames, and each is stable', () => {
  const settings: Partial<PoolSettings> = { usernameAttributes: [], aliasAttributes: ['preferred_username'] };
  const names = Array.from({ length: 200 }, (_, at) => `nobody${at}`);
  const own = names.filter((name) => decoyOf(settings, name) === name);
  assert.ok(own.length > 60 && own.length < 140, String(own.length));
  for (const name of names) {
    assert.equal(decoyOf(settings, name), decoyOf(settings, name));
    if (!own.includes(name)) assert.match(decoyOf(settings, name), UUID);
  }
});

it('a decoy uses its username as its name', () => {
  const settings: Partial<PoolSettings> = { usernameAttributes: ['email'], aliasAttributes: [] };
  const id = decoyOf(settings, EMAIL);
  assert.equal(decoyOf(settings, id), id);
  assert.equal(decoyOf(settings, EMAIL.toUpperCase()), id);
});
