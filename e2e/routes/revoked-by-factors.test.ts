import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { activateAuthenticator, computeTotpCode } from '../support/routes/route-mfa.ts';
import {
  createAuthenticator,
  listPasskeyIds,
  registerNewPasskey,
  startPasskeyService,
} from '../support/routes/route-passkeys.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  type TestService,
} from '../support/services/test-service.ts';

type Tokens = ReturnType<typeof requireTokens>;

forEachDatabase((database) => {
  describe(`sessions after a change of factors, on ${database.name}`, () => {
    let service: TestService;
    let replica: TestService;
    let users = 0;
    before(async () => {
      const databaseUrl = await database.create();
      service = await startPasskeyService({ databaseUrl });
      // A store in memory belongs to one service.
      replica = databaseUrl === 'sqlite::memory:' ? service : await service.replica();
    });
    after(async () => {
      if (replica !== service) await replica.close();
      await service.close();
    });

    const logIn = async (username: string): Promise<Tokens> => {
      service.clock.advance(1_000);
      return requireTokens(await service.post('/login', { username, password: PASSWORD }));
    };

    /** Two logins of a new user. */
    async function twice() {
      users += 1;
      const email = `factors${users}@example.com`;
      await addUser(service, email);
      return { email, mine: await logIn(email), other: await logIn(email) };
    }

    async function withAuthenticator() {
      const made = await twice();
      const secret = await activateAuthenticator(service, made.mine.access);
      const sent = { code: computeTotpCode(service, secret), end_other_sessions: false };
      assert.equal((await service.post('/user/mfa/verify', sent, createBearerHeader(made.mine.access))).status, 200);
      return made;
    }

    async function isIn({ access, refresh }: Tokens): Promise<void> {
      for (const at of [replica, service]) {
        assert.equal((await at.get('/device', createBearerHeader(access))).status, 200);
      }
      assert.equal((await replica.post('/token/refresh', { refresh_token: refresh })).status, 200);
    }

    async function isOut({ access, refresh }: Tokens): Promise<void> {
      for (const at of [replica, service]) {
        assertProblem(await at.get('/device', createBearerHeader(access)), 401, 'unauthenticated');
        assertProblem(await at.post('/token/refresh', { refresh_token: refresh }), 401, 'invalid_grant');
      }
    }

    type Made = Awaited<ReturnType<typeof twice>>;

    interface Act {
      readonly made: () => Promise<Made>;
      readonly act: (made: Made, more: object) => ReturnType<TestService['ask']>;
    }

    const ACTS: Readonly<Record<string, Act>> = {
      'verifying an authenticator': {
        made: twice,
        async act({ mine }, more) {
          const code = computeTotpCode(service, await activateAuthenticator(service, mine.access));
          return service.post('/user/mfa/verify', { code, ...more }, createBearerHeader(mine.access));
        },
      },
      'verifying an authenticator by the older path': {
        made: twice,
        async act({ mine }, more) {
          const code = computeTotpCode(service, await activateAuthenticator(service, mine.access));
          return service.post(`/user/mfa/activate/${code}`, more, createBearerHeader(mine.access));
        },
      },
      'another preference': {
        made: withAuthenticator,
        act: ({ mine }, more) =>
          service.ask('PUT', '/user/mfa/preference', {
            body: { methods: { SOFTWARE_TOKEN_MFA: false }, ...more },
            headers: createBearerHeader(mine.access),
          }),
      },
      deactivation: {
        made: withAuthenticator,
        act: ({ mine }, more) => service.post('/user/mfa/deactivate', more, createBearerHeader(mine.access)),
      },
    };

    for (const [name, { made: make, act }] of Object.entries(ACTS)) {
      it(`${name} ends the other sessions of the user immediately, with their refresh tokens, on every replica`, async () => {
        const made = await make();
        const answer = await act(made, {});
        assert.deepEqual([answer.status, answer.body.login_ended], [200, undefined], answer.text);
        await isOut(made.other);
        await isIn(made.mine);
      });

      it(`${name} keeps them if end_other_sessions is false, which must be a boolean`, async () => {
        const made = await make();
        for (const wrong of ['false', 0, null, []]) {
          assertInvalidField(await act(made, { end_other_sessions: wrong }), 'end_other_sessions');
        }
        assert.equal((await act(made, { end_other_sessions: false })).status, 200);
        await isIn(made.other);
        await isIn(made.mine);
      });
    }

    it('new recovery codes end the other sessions, unless the request says otherwise', async () => {
      const { mine, other } = await withAuthenticator();
      const make = (body: object) => service.post('/user/mfa/recovery-codes', body, createBearerHeader(mine.access));
      assert.equal((await make({ end_other_sessions: false })).status, 200);
      await isIn(other);
      assert.equal((await make({})).status, 200);
      await isOut(other);
      await isIn(mine);
    });

    it('removing a passkey ends the other sessions, unless the request says otherwise', async () => {
      const { mine, other } = await twice();
      for (let n = 0; n < 2; n += 1) {
        const made = await registerNewPasskey(service, mine.access, createAuthenticator());
        assert.equal(made.status, 200, made.text);
      }
      const ids = await listPasskeyIds(service, mine.access);
      const remove = (body: object) =>
        service.ask('DELETE', '/passkey/delete', { body, headers: createBearerHeader(mine.access) });
      assert.equal((await remove({ credential_id: ids[0], end_other_sessions: false })).status, 200);
      await isIn(other);
      assert.equal((await remove({ credential_id: ids[1] })).status, 200);
      await isOut(other);
      await isIn(mine);
    });

    for (const [name, act] of [
      [
        'POST /admin/users/{username}/mfa/reset',
        (email: string) => service.post(`/admin/users/${email}/mfa/reset`, {}, service.asAdmin),
      ],
      [
        'POST /user/mfa/disable',
        (email: string) => service.post('/user/mfa/disable', { username: email }, service.asAdmin),
      ],
      [
        'AdminSetUserMFAPreference',
        (email: string) =>
          service.call(
            'AdminSetUserMFAPreference',
            {
              UserPoolId: service.userPoolId,
              Username: email,
              SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
            },
            service.asAdmin,
          ),
      ],
      [
        'AdminDeleteSoftwareToken',
        (email: string) =>
          service.call(
            'AdminDeleteSoftwareToken',
            { UserPoolId: service.userPoolId, Username: email },
            service.asAdmin,
          ),
      ],
    ] as const) {
      it(`a reset by an administrator, ${name}, ends every session immediately, on every replica`, async () => {
        const { email, mine, other } = await withAuthenticator();
        service.clock.advance(60_000);
        const answer = await act(email);
        assert.equal(answer.status, 200, answer.text);
        await isOut(mine);
        await isOut(other);
        await isIn(await logIn(email));
      });
    }

    it('the Cognito-compatible API ends no session when users change their own factors', async () => {
      const { mine, other } = await withAuthenticator();
      const SoftwareTokenMfaSettings = { Enabled: false, PreferredMfa: false };
      const changed = await service.call('SetUserMFAPreference', {
        AccessToken: mine.access,
        SoftwareTokenMfaSettings,
      });
      assert.equal(changed.status, 200, changed.text);
      await isIn(other);
    });

    it('an operator who turns off what is not on ends no session', async () => {
      const { email, mine, other } = await twice();
      assert.equal((await service.post('/user/mfa/disable', { username: email }, service.asAdmin)).status, 200);
      await isIn(mine);
      await isIn(other);
    });
  });
});
