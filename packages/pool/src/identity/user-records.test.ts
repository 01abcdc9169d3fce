import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { UserRecord } from '../store/records.ts';
import { createEventPorts } from '../testing/test-ports.ts';
import { openTestRecords, type TestRecords } from '../testing/test-records.ts';
import { takeOverSignInName } from './user-records.ts';

describe('a sign-in name that a user has just verified', () => {
  let opened: TestRecords;
  before(async () => {
    opened = await openTestRecords();
  });
  after(() => opened.close());

  const take = (user: UserRecord, name: string) => {
    const settings: PoolSettings = { ...opened.pool.settings, usernameAttributes: ['email', 'phone_number'] };
    const pool = { ...opened.pool, settings };
    return opened.store.write((transaction) => takeOverSignInName(createEventPorts(), transaction, pool, user, name));
  };
  const findHolder = async (name: string) => (await opened.store.users.byName(opened.pool.id, name))?.user.username;
  const listTakenNames = async () => {
    const { rows } = await opened.records.events.page({ userPoolId: opened.pool.id }, 100, undefined);
    return rows.map(({ type, user, actor, details }) => ({ type, username: user?.username, by: actor.id, ...details }));
  };

  it("is free, or already the user's", async () => {
    const user = await opened.addUser({}, ['own@example.com']);
    for (const name of ['free@example.com', 'own@example.com']) assert.equal(await take(user, name), true);
    assert.deepEqual([await findHolder('own@example.com'), await listTakenNames()], [user.username, []]);
  });

  it('stays with another user who has verified it', async () => {
    const attributes = { email: 'proven@example.com', email_verified: 'true' };
    const holder = await opened.addUser({ attributes }, ['proven@example.com']);
    assert.equal(await take(await opened.addUser(), 'proven@example.com'), false);
    assert.deepEqual([await findHolder('proven@example.com'), await listTakenNames()], [holder.username, []]);
  });

  it('is taken from a user who has not verified it and keeps the other names, and that is recorded', async () => {
    const attributes = { email: 'unproven@example.com', email_verified: 'false' };
    const proven = { phone_number: '+15551234567', phone_number_verified: 'true' };
    const holder = await opened.addUser({ attributes: { ...attributes, ...proven } }, [
      'unproven@example.com',
      '+15551234567',
    ]);
    const user = await opened.addUser();
    assert.equal(await take(user, 'unproven@example.com'), true);
    assert.equal(await findHolder('unproven@example.com'), undefined);
    for (const name of [holder.username, '+15551234567']) assert.equal(await findHolder(name), holder.username);
    const told = { type: 'user.updated', username: holder.username, by: user.sub };
    assert.deepEqual(await listTakenNames(), [{ ...told, attributes: 'names', reason: 'alias_taken' }]);
  });

  it('ends a pending sign-up for it', async () => {
    const waiting = await opened.addUser({ status: 'UNCONFIRMED' }, ['waiting@example.com']);
    assert.equal(await take(await opened.addUser(), 'waiting@example.com'), true);
    assert.equal(await findHolder(waiting.username), undefined);
  });
});
