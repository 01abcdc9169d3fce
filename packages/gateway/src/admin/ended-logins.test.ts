import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IdentityProvider, ProviderOperations } from '@poolgate/provider';
import { deleteAccount } from '../account/delete-account.ts';
import { disableMfa } from '../mfa/disable-mfa.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL, START_MS } from '../testing/gateway-deps.ts';
import { deleteUser } from './delete-user.ts';
import { disableUser } from './disable-user.ts';
import { resetMfa } from './reset-user-mfa.ts';
import { resetUserPassword } from './reset-user-password.ts';
import { signOutUser } from './sign-out-user.ts';

const SUB = '01234567-89ab-7def-8123-456789abcdef';
const USER_POOL = { UserPoolId: POOL.userPoolId };
const IDENTIFIERS = { ...USER_POOL, Username: 'canonical' };
const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const params = { username: 'typed@example.com' };
const MFA = ['SOFTWARE_TOKEN_MFA'];

interface Given {
  /** The operations that fail. */
  readonly failing?: readonly string[];
  readonly extensions?: Partial<IdentityProvider['extensions']>;
  /** The second factors that the user has. */
  readonly mfa?: readonly string[];
  readonly recordsRevocations?: boolean;
}

/** A gateway over a provider with one user that accepts everything, and all calls to it in order. */
function gateway({ failing = [], extensions = {}, mfa = MFA, recordsRevocations = false }: Given = {}) {
  const calls: (readonly [name: string, input?: unknown])[] = [];
  const done = (name: string) => async (input: unknown) => {
    calls.push([name, input]);
    if (failing.includes(name)) throw new Error('the provider is away');
    return {} as never;
  };
  const user = {
    Username: IDENTIFIERS.Username,
    UserAttributes: [{ Name: 'sub', Value: SUB }],
    UserMFASettingList: mfa,
  };
  const operations: Partial<ProviderOperations> = {
    adminGetUser: async () => user as never,
    adminDeleteUser: done('adminDeleteUser'),
    adminDisableUser: done('adminDisableUser'),
    adminUserGlobalSignOut: done('adminUserGlobalSignOut'),
    adminSetUserMFAPreference: done('adminSetUserMFAPreference'),
    adminResetUserPassword: done('adminResetUserPassword'),
    deleteUser: done('deleteUser'),
  };
  const guarded = createGuardRecords();
  const records = {
    ...guarded,
    revocations: {
      ...guarded.revocations,
      async record(row: Parameters<typeof guarded.revocations.record>[0]) {
        calls.push([row.subject]);
        await guarded.revocations.record(row);
      },
    },
    localUsers: {
      ...guarded.localUsers,
      delete: async (...given: unknown[]) => void calls.push(['localUsers.delete', given]),
      setPasswordResetRequired: async (...given: unknown[]) => void calls.push(['passwordResetRequired', given]),
    },
  };
  const provider = { ...createTestProvider(() => [], operations), extensions, recordsRevocations };
  const runtime: GatewayRuntime = createTestRuntime({ provider, records });
  const names = () => calls.map(([name]) => name);
  return { runtime, calls, names, revocations: guarded.revocationsBySubject };
}

const revoked = `user:${SUB}`;
const deleted = `gone:${SUB}`;
type Run = (runtime: GatewayRuntime) => Promise<{ readonly status: number }>;

const adminRequest = { params, call, query: {}, body: {} } as never;
const confirmed = { params, call, query: {}, body: { confirm: true } } as never;

describe('what ends every login of a user', () => {
  const acts: readonly (readonly [name: string, run: Run, expected: readonly string[]])[] = [
    ['a sign-out', (runtime) => signOutUser(runtime, adminRequest), ['adminUserGlobalSignOut', revoked]],
    ['a disabled user', (runtime) => disableUser(runtime, adminRequest), ['adminDisableUser', revoked]],
    [
      'a reset of the second factors',
      (runtime) => resetMfa(runtime, adminRequest),
      ['adminSetUserMFAPreference', 'adminUserGlobalSignOut', revoked],
    ],
    [
      'a reset of the password',
      (runtime) => resetUserPassword(runtime, adminRequest),
      ['adminResetUserPassword', 'adminUserGlobalSignOut', 'passwordResetRequired', revoked],
    ],
    [
      'a second factor that was the last one',
      (runtime) => disableMfa(runtime, { call, body: params } as never),
      ['adminSetUserMFAPreference', 'adminUserGlobalSignOut', revoked],
    ],
    [
      'a deleted user',
      (runtime) => deleteUser(runtime, confirmed),
      [revoked, 'adminDeleteUser', deleted, 'localUsers.delete'],
    ],
  ];

  for (const [name, run, expected] of acts) {
    it(`ends them at the provider, and refuses existing tokens: ${name}`, async () => {
      const { runtime, calls, names, revocations } = gateway();
      assert.equal((await run(runtime)).status, 200);
      assert.deepEqual(names(), expected);
      assert.equal(revocations.get(revoked)?.endedAtMs, START_MS);
      assert.ok(calls.every(([, input]) => input === undefined || JSON.stringify(input).includes(POOL.userPoolId)));
      assert.ok(calls.every(([, input]) => !JSON.stringify([input]).includes(params.username)));
    });

    it(`writes nothing if the provider records revocations itself: ${name}`, async () => {
      const { runtime, names } = gateway({ recordsRevocations: true });
      await run(runtime);
      const own = [revoked, deleted, 'localUsers.delete'];
      assert.deepEqual(
        names(),
        expected.filter((operation) => !own.includes(operation)),
      );
    });
  }

  it('reports success only after the provider has done it', async () => {
    for (const [, run, [first = '', second = '']] of acts) {
      for (const failing of [first, second].filter((operation) => operation.startsWith('admin'))) {
        const { runtime, revocations } = gateway({ failing: [failing] });
        await assert.rejects(run(runtime), failing);
        assert.equal(revocations.has(deleted), false, failing);
        assert.equal(revocations.has(revoked), failing === 'adminDeleteUser', failing);
      }
    }
  });

  it('removes the factors if the provider can, and otherwise stops requiring them', async () => {
    const reset: unknown[] = [];
    const { runtime, names } = gateway({ extensions: { reset_mfa: async (input) => void reset.push(input) } });
    await resetMfa(runtime, adminRequest);
    assert.deepEqual([reset, names()], [[IDENTIFIERS], ['adminUserGlobalSignOut', revoked]]);
  });

  it('resets the password also if the provider does not report whether it sent a code', async () => {
    for (const CodeSent of [true, false]) {
      const { runtime, calls, names } = gateway({ extensions: { force_password_reset: async () => ({ CodeSent }) } });
      const { body } = await resetUserPassword(runtime, adminRequest);
      assert.equal(body.data.code_sent, CodeSent);
      assert.deepEqual(names(), ['adminUserGlobalSignOut', 'passwordResetRequired', revoked]);
      const [, given] = calls.find(([name]) => name === 'passwordResetRequired') ?? [];
      const user = { userPoolId: POOL.userPoolId, sub: SUB, username: IDENTIFIERS.Username };
      assert.deepEqual(given, [user, true, START_MS]);
    }
  });
});

describe('a second factor that is turned off', () => {
  it('ends no login while another factor remains, or if none was on', async () => {
    for (const [mfa, method, ends] of [
      [['SOFTWARE_TOKEN_MFA', 'SMS_MFA'], 'SMS_MFA', false],
      [['SOFTWARE_TOKEN_MFA', 'SMS_MFA'], undefined, true],
      [['SMS_MFA'], 'SOFTWARE_TOKEN_MFA', false],
      [['SMS_MFA'], 'SMS_MFA', true],
      [[], undefined, false],
    ] as const) {
      const { runtime, revocations } = gateway({ mfa });
      await disableMfa(runtime, { call, body: { ...params, method } } as never);
      assert.equal(revocations.has(revoked), ends, `${mfa} ${method}`);
    }
  });
});

describe('a deletion', () => {
  const refusedFor = { name: 'GatewayError', code: 'validation_failed' };

  it('must be requested explicitly, in the body or in the query, and contradicted in neither', async () => {
    for (const [body, query, isMeant] of [
      [{}, {}, false],
      [{ confirm: false }, {}, false],
      [{}, { confirm: 'false' }, false],
      [{ confirm: true }, { confirm: 'false' }, false],
      [{ confirm: false }, { confirm: 'true' }, false],
      [{ confirm: true }, {}, true],
      [{}, { confirm: 'true' }, true],
      [{ confirm: true }, { confirm: 'true' }, true],
    ] as const) {
      const caller = { kind: 'user', sub: SUB, accessToken: 'token' };
      for (const [run, operation] of [
        [(runtime) => deleteUser(runtime, { params, call, body, query } as never), 'adminDeleteUser'],
        [(runtime) => deleteAccount(runtime, { call, body, query, caller } as never), 'deleteUser'],
      ] satisfies [Run, string][]) {
        const { runtime, names, revocations } = gateway();
        if (isMeant) await run(runtime);
        else await assert.rejects(run(runtime), refusedFor);
        assert.equal(names().includes(operation), isMeant, JSON.stringify([body, query]));
        assert.equal(revocations.has(deleted), isMeant);
      }
    }
  });

  it("of the caller's own account leaves a tombstone once the provider has deleted it", async () => {
    const caller = { kind: 'user', sub: SUB, accessToken: 'token' };
    const request = { call, body: { confirm: true }, query: {}, caller } as never;
    const { runtime, calls } = gateway();
    await deleteAccount(runtime, request);
    assert.deepEqual(calls, [
      ['deleteUser', { AccessToken: 'token' }],
      [deleted],
      ['localUsers.delete', [POOL.userPoolId, SUB]],
    ]);
    const failing = gateway({ failing: ['deleteUser'] });
    await assert.rejects(deleteAccount(failing.runtime, request));
    assert.equal(failing.revocations.size, 0);
  });
});
