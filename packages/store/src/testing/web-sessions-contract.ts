import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RACERS } from './races.ts';
import { sampleConsoleSession, sampleWebSession } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openStoreForTests } from './test-store.ts';

const isDone = (outcome: unknown): boolean => outcome !== undefined && outcome !== false;

/** Requirements of every store for browser sessions. Each test uses its own session. */
export function webSessionsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`browser sessions on ${locationName}`, () => {
    const store = openStoreForTests(makeLocation);
    const sessions = () => store().records.webSessions;
    const race = async <Outcome>(work: (index: number) => Promise<Outcome>) =>
      (await Promise.all(Array.from({ length: RACERS }, (_, index) => work(index)))).filter(isDone);

    it('are found until they expire, and a use extends that', async () => {
      const session = { ...sampleWebSession('found'), originJti: null, staysSignedIn: true };
      await sessions().insert(session);
      assert.deepEqual(await sessions().find('found', 99), session);
      assert.equal(await sessions().find('found', 100), undefined);
      await sessions().touch('found', 60, 150);
      await sessions().touch('found', 40, 130);
      assert.deepEqual(await sessions().find('found', 149), { ...session, seenAtMs: 60, expiresAtMs: 150 });
    });

    it('are read again without known content, with revocations among the subjects', async () => {
      const session = sampleWebSession('known');
      const { contentEncrypted, ...state } = session;
      const { userPoolId, idDigestHex } = session;
      await sessions().insert(session);
      const revoke = (subject: string, endedAtMs: number, pool = userPoolId) =>
        store().records.revocations.record({ userPoolId: pool, subject, endedAtMs, expiresAtMs: 70 });
      await revoke('user:read', 7);
      await revoke('login:read', 8);
      await revoke('user:somebody', 9);
      await revoke('gone:read', 9, 'another-pool');
      const subjects = ['user:read', 'gone:read', 'login:read'];
      const known = { idDigestHex, userPoolId, refreshedAtMs: session.refreshedAtMs, subjects };
      const revocations = [
        { subject: 'user:read', endedAtMs: 7 },
        { subject: 'login:read', endedAtMs: 8 },
      ];
      assert.deepEqual(await sessions().findKnown(known, 69), { state, contentEncrypted: null, revocations });
      const two = { ...known, subjects: ['gone:read', 'user:nobody'] };
      assert.deepEqual(await sessions().findKnown(two, 69), { state, contentEncrypted: null, revocations: [] });
      assert.deepEqual(
        await sessions().findKnown({ ...known, refreshedAtMs: session.refreshedAtMs - 1 }, 70),
        { state, contentEncrypted, revocations: [] },
        'a content of another time is given, and revocations that have expired are not',
      );
      assert.equal(await sessions().findKnown(known, 100), undefined, 'it has expired');
      assert.equal(await sessions().findKnown({ ...known, idDigestHex: 'another' }, 69), undefined);
    });

    it('are found by their family, which they share with their successors', async () => {
      const session = sampleWebSession('first');
      await sessions().insert(session);
      assert.deepEqual(await sessions().findByFamily(session.familyId, 99), session);
      assert.equal(await sessions().findByFamily(session.familyId, 100), undefined);
      const second = { ...sampleWebSession('second'), familyId: session.familyId };
      assert.equal(await sessions().replace('first', second, 50), true);
      assert.deepEqual(await sessions().findByFamily(session.familyId, 50), second);
      await sessions().end('second');
      assert.equal(await sessions().findByFamily(session.familyId, 50), undefined);
    });

    it('have tickets that one of fifty can use, before they expire', async () => {
      const tickets = store().records.webTickets;
      const bound = { familyId: 'f', origin: 'https://a', browserDigestHex: 'b', returnTo: 'https://a/b' };
      const ticket = { ...bound, digestHex: 't', expiresAtMs: 100 };
      await tickets.insert(ticket);
      await tickets.insert({ ...ticket, digestHex: 'late' });
      assert.deepEqual(await race(() => tickets.consume('t', 99)), [ticket]);
      assert.equal(await tickets.consume('late', 100), undefined);
      await store().records.sweep(100);
      assert.equal(await tickets.consume('late', 0), undefined, 'it was swept');
    });

    it('of the console are found until they expire, and one of fifty ends them', async () => {
      const consoleSessions = store().records.consoleSessions;
      const session = sampleConsoleSession('console');
      await consoleSessions.insert(session);
      await consoleSessions.insert(sampleConsoleSession('swept'));
      assert.deepEqual(await consoleSessions.find('console', 99), session);
      assert.equal(await consoleSessions.find('console', 100), undefined);
      await consoleSessions.touch('console', 60, 150);
      await consoleSessions.touch('console', 40, 130);
      assert.deepEqual(await consoleSessions.find('console', 149), { ...session, seenAtMs: 60, expiresAtMs: 150 });
      await store().records.sweep(100);
      assert.equal(await consoleSessions.find('swept', 0), undefined);
      assert.equal((await race(() => consoleSessions.end('console'))).length, 1);
      assert.equal(await consoleSessions.find('console', 60), undefined);
    });

    it('have one successor: one of fifty replaces a session', async () => {
      await sessions().insert(sampleWebSession('old'));
      const wins = await race((index) => sessions().replace('old', sampleWebSession(`new-${index}`), 50));
      assert.equal(wins.length, 1);
      const found = await race((index) => sessions().find(`new-${index}`, 50));
      assert.equal(found.length, 1);
      assert.equal(await sessions().find('old', 50), undefined);
    });

    it('are not revived after they have expired', async () => {
      await sessions().insert(sampleWebSession('expired'));
      assert.equal(await sessions().replace('expired', sampleWebSession('revived'), 100), false);
      assert.equal(await sessions().find('revived', 0), undefined);
    });

    it('are refreshed by one of fifty, once for the same tokens', async () => {
      await sessions().insert(sampleWebSession('leased'));
      const lease = (index: number) => sessions().lease('leased', 10, { id: `lease-${index}`, untilMs: 80 }, 60);
      const wins = await Promise.all(Array.from({ length: RACERS }, (_, index) => lease(index)));
      assert.equal(wins.filter(Boolean).length, 1);
      const tokens = { contentEncrypted: 'renewed', tokensExpireAtMs: 90, refreshedAtMs: 60 };
      const winner = `lease-${wins.indexOf(true)}`;
      assert.equal(await sessions().renew('leased', 'lease-x', tokens), false);
      assert.equal(await sessions().renew('leased', winner, tokens), true);
      assert.equal(await sessions().renew('leased', winner, tokens), false, 'the lease is used up');
      assert.deepEqual(await sessions().find('leased', 60), { ...sampleWebSession('leased'), ...tokens });
      assert.equal(await sessions().lease('leased', 10, { id: 'late', untilMs: 99 }, 61), false, 'it has been done');
      assert.equal(await sessions().lease('leased', 60, { id: 'next', untilMs: 99 }, 61), true);
    });

    it('can be refreshed by another one after a lease was returned or has expired', async () => {
      await sessions().insert(sampleWebSession('lapsed'));
      const lease = (id: string, nowMs: number) => sessions().lease('lapsed', 10, { id, untilMs: nowMs + 10 }, nowMs);
      assert.deepEqual([await lease('a', 10), await lease('b', 19), await lease('b', 20)], [true, false, true]);
      await sessions().release('lapsed', 'a');
      assert.equal(await lease('c', 21), false, 'nobody gives back the lease of another one');
      await sessions().release('lapsed', 'b');
      assert.equal(await lease('c', 22), true);
    });

    it('have no lease when they are new, returned or renewed', async () => {
      await sessions().insert(sampleWebSession('early'));
      const lease = (id: string, refreshedAtMs: number) =>
        sessions().lease('early', refreshedAtMs, { id, untilMs: 9 }, 0);
      assert.deepEqual([await lease('a', 10), await lease('b', 10)], [true, false]);
      await sessions().release('early', 'a');
      assert.equal(await lease('c', 10), true);
      const tokens = { contentEncrypted: 'renewed', tokensExpireAtMs: 90, refreshedAtMs: 60 };
      assert.equal(await sessions().renew('early', 'c', tokens), true);
      assert.equal(await lease('d', 60), true);
    });

    it('are ended by one of fifty, and then have no lease and no use', async () => {
      await sessions().insert(sampleWebSession('ended'));
      assert.deepEqual(await race(() => sessions().end('ended')), [sampleWebSession('ended')]);
      await sessions().touch('ended', 90, 190);
      assert.equal(await sessions().lease('ended', 10, { id: 'a', untilMs: 80 }, 60), false);
      assert.equal(await sessions().find('ended', 0), undefined);
    });

    it('are swept once they have expired', async () => {
      await sessions().insert({ ...sampleWebSession('swept'), expiresAtMs: 5 });
      await sessions().insert({ ...sampleWebSession('unswept'), expiresAtMs: 6 });
      await store().records.sweep(5);
      assert.equal(await sessions().find('swept', 0), undefined);
      assert.ok(await sessions().find('unswept', 0));
    });
  });
}
