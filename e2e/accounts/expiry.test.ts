import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { databaseRows } from '../proofs/database-rows.ts';
import { createKeyByCommand } from '../support/requests/admin-keys.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { findLatestCode, findNotMeToken, logIn } from '../support/routes/owner-login.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import { activateAuthenticator, computeTotpCode, verifyAuthenticator } from '../support/routes/route-mfa.ts';
import {
  createFiveKeyClaim,
  createSignedClaim,
  createVerifierAnswer,
  startSrpLogin,
} from '../support/routes/route-srp.ts';
import {
  addUser,
  assertProblem,
  inviteUser,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Something that expires: the test creates it, waits until it expires, and uses it. */
interface Expiring {
  readonly lifeMs: number;
  /** Creates it, and returns a function that tries to use it, with the status and code of the error. */
  begin(service: TestService, email: string): Promise<() => Promise<readonly [status: number, code: unknown]>>;
  /** The table whose row still exists when it is refused. */
  readonly table: string;
}

const outcome = ({ status, body }: { status: number; body: Readonly<Record<string, unknown>> }) =>
  [status, body.code] as const;

const EXPIRING: Readonly<Record<string, Expiring>> = {
  'the code of a registration': {
    lifeMs: DAY_MS,
    table: 'codes',
    async begin(service, email) {
      const fresh = `new-${email}`;
      const registered = await service.post('/register', { email: fresh, password: PASSWORD });
      assert.equal(registered.status, 200, registered.text);
      const { session } = registered.body;
      const code = findLatestCode(service, fresh);
      return async () => outcome(await service.post('/register/verify', { email: fresh, code, session }));
    },
  },
  'the code of a forgotten password': {
    lifeMs: HOUR_MS,
    table: 'codes',
    async begin(service, email) {
      await addUser(service, email);
      assert.equal((await service.post('/password/forgot', { email })).status, 200);
      const code = findLatestCode(service, email);
      return async () => outcome(await service.post('/password/reset', { email, code, password: 'A-New-Horse2!' }));
    },
  },
  'the code of a new address': {
    lifeMs: DAY_MS,
    table: 'codes',
    async begin(service, email) {
      await addUser(service, email);
      const { access } = await logIn(service, email);
      const body = { attributes: { email: `to-${email}` } };
      assert.equal(
        (await service.ask('PATCH', '/user/profile', { headers: createBearerHeader(access), body })).status,
        200,
      );
      const code = findLatestCode(service, `to-${email}`);
      return async () => {
        service.clock.advance(1_000);
        // Renews the tokens, so that only the code has expired.
        const next = await logIn(service, email);
        return outcome(
          await service.post('/user/attributes/verify', { attribute: 'email', code }, createBearerHeader(next.access)),
        );
      };
    },
  },
  'the challenge of a password': {
    lifeMs: 3 * MINUTE_MS,
    table: 'users',
    async begin(service, email) {
      await addUser(service, email);
      const challenge = await startSrpLogin(service, email);
      return async () =>
        outcome(
          await service.post(
            '/login/auth-challenge',
            createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
          ),
        );
    },
  },
  'a private value that the service made': {
    lifeMs: MINUTE_MS,
    table: 'pending_srp',
    async begin(service, email) {
      await addUser(service, email);
      const challenge = await startSrpLogin(service, email, { serverMade: true });
      return async () =>
        outcome(
          await service.post(
            '/login/auth-challenge',
            createVerifierAnswer(challenge, createFiveKeyClaim(service, challenge)),
          ),
        );
    },
  },
  'the challenge of a device': {
    lifeMs: 3 * MINUTE_MS,
    table: 'devices',
    async begin(service, email) {
      await addUser(service, email);
      const challenge = await startDeviceSrp(service, await createRememberedDevice(service, email));
      return async () => outcome(await proveDevice(service, challenge, createDeviceClaim(service, challenge)));
    },
  },
  'a temporary password': {
    lifeMs: 7 * DAY_MS,
    table: 'credentials',
    async begin(service, email) {
      await inviteUser(service, email);
      return async () => outcome(await service.post('/login', { username: email, password: PASSWORD }));
    },
  },
  'a login': {
    lifeMs: 30 * DAY_MS,
    table: 'logins',
    async begin(service, email) {
      await addUser(service, email);
      const { refresh } = await logIn(service, email);
      return async () => outcome(await service.post('/token/refresh', { refresh_token: refresh }));
    },
  },
  'an access token': {
    lifeMs: HOUR_MS,
    table: 'logins',
    async begin(service, email) {
      await addUser(service, email);
      const { access } = await logIn(service, email);
      return async () => outcome(await service.get('/user/profile', createBearerHeader(access)));
    },
  },
  'the secret of an authenticator that nobody verified': {
    lifeMs: 15 * MINUTE_MS,
    table: 'totp_factors',
    async begin(service, email) {
      await addUser(service, email);
      const secret = await activateAuthenticator(service, (await logIn(service, email)).access);
      return async () => {
        const { access } = await logIn(service, email);
        return outcome(await verifyAuthenticator(service, access, computeTotpCode(service, secret)));
      };
    },
  },
  'the link of a notice': {
    lifeMs: 7 * DAY_MS,
    table: 'not_me_links',
    async begin(service, email) {
      await addUser(service, email);
      const { access } = await logIn(service, email);
      const change = { password: PASSWORD, new_password: 'A-New-Horse2!' };
      assert.equal((await service.post('/user/changepassword', change, createBearerHeader(access))).status, 200);
      const token = findNotMeToken(service, email);
      return async () => outcome(await service.post('/account/not-me', { token }));
    },
  },
};

describe('expired state without a sweep', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  let count = 0;
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    // The sweeper uses the machine's clock, every ten minutes, so it never runs here.
    service = await startTestService({ databaseUrl: place?.url ?? '' });
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  const countRows = (table: string): number => {
    const rows = databaseRows(place?.url ?? '')[table];
    assert.ok(rows, `there is a table ${table}`);
    return rows.length;
  };

  for (const [name, { lifeMs, begin, table }] of Object.entries(EXPIRING)) {
    it(`${name} is refused when it expires, and its row stays`, async () => {
      count += 1;
      const use = await begin(service, `expiring-${count}@example.com`);
      const before = countRows(table);
      assert.ok(before > 0);
      service.clock.advance(lifeMs);
      const [status, code] = await use();
      assert.ok([400, 401].includes(status) || code === 'mfa_not_configured', `${status} ${code}`);
      assert.ok(countRows(table) >= before, 'nothing was swept');
    });
  }

  it('an admin key is refused after its last day', async () => {
    const key = await createKeyByCommand(service, place?.url ?? '', ['users:read']);
    const headers = { authorization: `Bearer ${key.bearer}` };
    assert.equal((await service.get('/admin/users', headers)).status, 200);
    // The command created it with the machine's clock.
    service.clock.advance(Date.now() - service.clock.now() + 366 * DAY_MS);
    assertProblem(await service.get('/admin/users', headers), 401, 'unauthenticated');
    assert.ok(databaseRows(place?.url ?? '').admin_keys?.some((row) => row.includes(key.id)));
  });
});
