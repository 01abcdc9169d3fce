import assert from 'node:assert/strict';
import { TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import type { Case, Subject } from '../subject.ts';
import { assertRefuses, loggedIn, newLoggedInUser, type TestUser } from '../users.ts';

/** The session of an access token, and the others, through the operation for the user. */
async function ownSessions({ operations }: Subject, AccessToken: string) {
  const { Sessions = [] } = await operations.listUserSessions({ AccessToken }, TEST_CALL);
  const idsOf = (isCurrent: boolean) =>
    Sessions.filter((session) => session.IsCurrentSession === isCurrent).map(({ SessionId = '' }) => SessionId);
  return { sessions: Sessions, current: idsOf(true), others: idsOf(false) };
}

async function twoLogins(subject: Subject) {
  const user = await newLoggedInUser(subject);
  await subject.pass(1_000);
  return { user, mine: user.tokens, other: await loggedIn(subject, user) };
}

const isOver = (subject: Subject, AccessToken: string) =>
  assertRefuses(subject.operations.getUser({ AccessToken }, TEST_CALL), 'NotAuthorizedException', 'invalid_token');

const asAdmin = ({ operations }: Subject, { identifiers }: TestUser) =>
  operations.adminListUserSessions(identifiers, TEST_CALL);

/** The sessions of a user, one by one. */
export const SESSION_CASES = {
  ListUserSessions: [
    {
      does: 'shows every session of the user, and which one asks',
      async run(subject) {
        const { mine } = await twoLogins(subject);
        const { sessions, current, others } = await ownSessions(subject, mine.access);
        assert.deepEqual([current.length, others.length], [1, 1]);
        for (const { SessionId, SessionType, ClientId, CreateDate = 0, LastActiveDate = 0 } of sessions) {
          assert.match(SessionId ?? '', /^tkn[0-9a-z]{25}$/);
          assert.deepEqual([SessionType, ClientId], ['TOKEN', subject.clientId]);
          assert.ok(CreateDate > 0 && LastActiveDate >= CreateDate);
        }
      },
    },
  ],
  RevokeUserSession: [
    {
      does: 'ends another session of the user, and not the one that asks',
      async run(subject) {
        const { mine, other } = await twoLogins(subject);
        const { current, others } = await ownSessions(subject, mine.access);
        const revoke = (SessionId: string) =>
          subject.operations.revokeUserSession({ AccessToken: mine.access, SessionId }, TEST_CALL);
        await assertRefuses(revoke(current[0] ?? ''), 'InvalidParameterException');
        assert.deepEqual(await revoke(others[0] ?? ''), {});
        await isOver(subject, other.access);
        await assertRefuses(revoke(others[0] ?? ''), 'ResourceNotFoundException');
        assert.deepEqual((await ownSessions(subject, mine.access)).others, []);
      },
    },
    {
      does: 'ends no session of somebody else',
      async run(subject) {
        const { mine, other } = await twoLogins(subject);
        const { others } = await ownSessions(subject, mine.access);
        const another = await newLoggedInUser(subject);
        const SessionId = others[0] ?? '';
        const act = subject.operations.revokeUserSession({ AccessToken: another.tokens.access, SessionId }, TEST_CALL);
        await assertRefuses(act, 'ResourceNotFoundException');
        await subject.operations.getUser({ AccessToken: other.access }, TEST_CALL);
      },
    },
  ],
  AdminListUserSessions: [
    {
      does: 'shows the sessions of a user, none as current',
      async run(subject) {
        const { user, mine } = await twoLogins(subject);
        const { sessions } = await ownSessions(subject, mine.access);
        const { Sessions = [] } = await asAdmin(subject, user);
        const idsOf = (list: typeof sessions) => list.map(({ SessionId }) => SessionId).toSorted();
        assert.deepEqual(idsOf(Sessions), idsOf(sessions));
        assert.ok(Sessions.every(({ IsCurrentSession }) => IsCurrentSession === false));
      },
    },
  ],
  AdminRevokeUserSession: [
    {
      does: 'ends one session of a user, whichever it is, and none of another user',
      async run(subject) {
        const { user, mine, other } = await twoLogins(subject);
        const { current } = await ownSessions(subject, mine.access);
        const another = await newLoggedInUser(subject);
        const SessionId = current[0] ?? '';
        const revoke = ({ identifiers }: TestUser) =>
          subject.operations.adminRevokeUserSession({ ...identifiers, SessionId }, TEST_CALL);
        await assertRefuses(revoke(another), 'ResourceNotFoundException');
        assert.deepEqual(await revoke(user), {});
        await isOver(subject, mine.access);
        await subject.operations.getUser({ AccessToken: other.access }, TEST_CALL);
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
