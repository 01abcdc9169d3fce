import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import {
  confirmAsOwner,
  listProofsAgainst,
  OWNERSHIP_PROOFS,
  type OwnershipProof,
  readGetUserSub,
  readProfileSub,
  registerAsAttacker,
} from '../support/routes/ownership-proofs.ts';
import {
  type EntryTokens,
  REGISTRATION_APIS,
  type RegistrationApi,
  readSub,
  SQUATTER_PASSWORD,
} from '../support/routes/registration-apis.ts';
import { activateAuthenticator, computeTotpCode, verifyAuthenticator } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  ORIGIN,
  RP_ID,
  registerNewPasskey as registerPasskey,
  startPasskeyLogin,
} from '../support/routes/route-passkeys.ts';
import { PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const PHONE = '+15550001111';

/** What an unknown caller keeps from an account that they created before its owner came. */
interface Holdings {
  readonly tokens?: EntryTokens;
  readonly authenticator?: SoftwareAuthenticator;
}

interface Act {
  readonly name: string;
  readonly phone?: string;
  /** Undefined if the attacker has only registered. */
  readonly goesOn?: (service: TestService, tokens: EntryTokens) => Promise<Holdings>;
  /** A user with a second factor gets no code instead of a password, so the owner gets in by registering. */
  readonly hasSecondFactor?: true;
}

const ACTS: readonly Act[] = [
  { name: 'registers' },
  { name: 'registers with a telephone number', phone: PHONE },
  { name: 'is confirmed by an administrator', goesOn: async () => ({}) },
  { name: 'is confirmed with a telephone number', phone: PHONE, goesOn: async () => ({}) },
  {
    name: 'is confirmed and adds a passkey',
    async goesOn(service, { access }) {
      const authenticator = new SoftwareAuthenticator({ origin: ORIGIN });
      await registerPasskey(service, access, authenticator);
      return { authenticator };
    },
  },
  {
    name: 'is confirmed and begins to add an authenticator',
    async goesOn(service, { access }) {
      await activateAuthenticator(service, access);
      return {};
    },
  },
  {
    name: 'is confirmed and adds an authenticator',
    hasSecondFactor: true,
    async goesOn(service, { access }) {
      const verified = await verifyAuthenticator(
        service,
        access,
        computeTotpCode(service, await activateAuthenticator(service, access)),
      );
      assert.equal(verified.status, 200, verified.text);
      return {};
    },
  },
];

/** An attacker registers another person's address, and continues as far as the act says. */
async function begin(service: TestService, entryPoint: RegistrationApi, act: Act, email: string): Promise<Holdings> {
  if (act.goesOn !== undefined) {
    const tokens = await registerAsAttacker(service, entryPoint, email, act.phone);
    return { tokens, ...(await act.goesOn(service, tokens)) };
  }
  await entryPoint.register(service, email, SQUATTER_PASSWORD, act.phone);
  return {};
}

/** The users as whom an unknown caller gets in with everything that they have. */
async function reachable(service: TestService, email: string, { tokens, authenticator }: Holdings): Promise<unknown[]> {
  const names = tokens === undefined ? [email] : [email, readSub(tokens)];
  const logins = names.flatMap((name) =>
    REGISTRATION_APIS.map((entryPoint) => entryPoint.logIn(service, name, SQUATTER_PASSWORD)),
  );
  const subs: unknown[] = (await Promise.all(logins)).map((login) => login && readSub(login));
  if (tokens !== undefined) {
    subs.push(await readProfileSub(service, tokens.access), await readGetUserSub(service, tokens.access));
    const refreshed = await service.post('/token/refresh', { refresh_token: tokens.refresh });
    if (refreshed.status === 200) subs.push(await readProfileSub(service, String(refreshed.body.access_token)));
  }
  if (authenticator !== undefined) {
    const pending = await startPasskeyLogin(service, email);
    const answer = await answerPasskey(
      service,
      pending,
      authenticator.assert(pending.options, { passkey: authenticator.latest }),
    );
    if (answer.status === 200) subs.push(readSub({ access: String(answer.body.access_token), refresh: '' }));
  }
  return subs;
}

/** Whether a code would go to a phone that the owner does not have. */
async function sendsTo(service: TestService, username: string): Promise<number> {
  await service.ask('GET', '/login/passkey/challenge/sms_otp', { body: { username } });
  return service.outbox?.list(PHONE).length ?? 0;
}

describe("an attacker registers another person's address", () => {
  let service: TestService;
  let cases = 0;
  before(async () => {
    service = await startTestService({
      rpId: RP_ID,
      origins: [ORIGIN],
      firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'],
    });
  });
  after(() => service.close());

  async function check(
    entryPoint: RegistrationApi,
    way: OwnershipProof,
    email: string,
    held: Holdings,
    tokens: EntryTokens | undefined,
  ) {
    assert.ok(tokens, 'the owner comes in');
    const sub = readSub(tokens);
    assert.equal(await readProfileSub(service, tokens.access), sub);
    assert.equal(await readGetUserSub(service, tokens.access), sub);
    const subs = await reachable(service, email, held);
    assert.equal(subs.includes(sub), false, 'the attacker does not');
    assert.equal(await sendsTo(service, email), 0, 'nor by a code to his telephone');
    const own = await entryPoint.logIn(service, email, PASSWORD);
    assert.equal(own && readSub(own), way.keepsPassword(entryPoint) ? sub : undefined);
    const again = await entryPoint.logInByCode(service, email);
    assert.equal(again && readSub(again), sub);
    const profile = (await service.get('/user/profile', { authorization: `Bearer ${again?.access}` })).body.user;
    const { email_verified, phone_number, mfa, is_webauthn_enabled } = profile as Record<string, unknown>;
    assert.deepEqual([email_verified, phone_number, is_webauthn_enabled], [true, undefined, false]);
    assert.equal((mfa as { readonly enabled: boolean }).enabled, false);
  }

  for (const entryPoint of REGISTRATION_APIS) {
    for (const [index, act] of ACTS.entries()) {
      for (const way of listProofsAgainst(act, index, entryPoint)) {
        it(`at ${entryPoint.name}: an attacker ${act.name}, the owner ${way.name}`, async () => {
          cases += 1;
          const email = `case${cases}@example.com`;
          const held = await begin(service, entryPoint, act, email);
          await check(entryPoint, way, email, held, await way.prove(service, entryPoint, email));
        });
      }
    }

    it(`at ${entryPoint.name}: an attacker who registers after the owner gets nothing, and the owner's session stays valid`, async () => {
      const email = `second-${entryPoint.name.length}@example.com`;
      const session = await entryPoint.register(service, email, PASSWORD);
      await entryPoint.register(service, email, SQUATTER_PASSWORD);
      const tokens = await confirmAsOwner(service, entryPoint, email, session);
      await check(entryPoint, OWNERSHIP_PROOFS[0] ?? assert.fail(), email, {}, tokens);
    });

    it(`at ${entryPoint.name}: an attacker's session is useless without the code, and after the owner came`, async () => {
      const email = `late-${entryPoint.name.length}@example.com`;
      const attempted = await entryPoint.register(service, email, SQUATTER_PASSWORD);
      const session = await entryPoint.register(service, email, PASSWORD);
      assert.ok(await entryPoint.confirm(service, email, session));
      assert.equal(await entryPoint.confirm(service, email, attempted), false);
      assert.equal(await entryPoint.logIn(service, email, SQUATTER_PASSWORD), undefined);
      assert.ok(await entryPoint.logIn(service, email, PASSWORD));
    });

    it(`at ${entryPoint.name}: a single registrant keeps the password, with and without the session, also after registering twice`, async () => {
      for (const [n, sends] of [true, false].entries()) {
        const email = `sole${n}-${entryPoint.name.length}@example.com`;
        await entryPoint.register(service, email, PASSWORD);
        const session = await entryPoint.register(service, email.toUpperCase(), PASSWORD);
        const code = service.outbox?.list(email.toUpperCase())[0]?.code;
        assert.ok(code);
        assert.ok(await entryPoint.confirm(service, email.toUpperCase(), sends ? session : undefined));
        assert.ok(await entryPoint.logIn(service, email, PASSWORD));
      }
    });

    it(`at ${entryPoint.name}: one of two registrations that are confirmed in parallel wins`, async () => {
      for (let round = 0; round < 3; round += 1) {
        const email = `twice${round}-${entryPoint.name.length}@example.com`;
        const passwords = [PASSWORD, SQUATTER_PASSWORD];
        const sessions = [];
        for (const password of passwords) sessions.push(await entryPoint.register(service, email, password));
        const won = await Promise.all(sessions.map((session) => entryPoint.confirm(service, email, session)));
        assert.equal(won.filter(Boolean).length, 1);
        const logins = await Promise.all(passwords.map((password) => entryPoint.logIn(service, email, password)));
        assert.deepEqual(
          logins.map((login) => login !== undefined),
          won,
        );
      }
    });
  }

  it('a user created by an administrator replaces a registration of the address', async () => {
    const email = 'created@example.com';
    const [entryPoint] = REGISTRATION_APIS as readonly [RegistrationApi, RegistrationApi];
    const session = await entryPoint.register(service, email, SQUATTER_PASSWORD);
    const created = await service.post('/admin/users', { email, temp_password: PASSWORD }, service.asAdmin);
    assert.equal(created.status, 201, created.text);
    assert.equal(await entryPoint.confirm(service, email, session), false);
    assert.equal(await entryPoint.logIn(service, email, SQUATTER_PASSWORD), undefined);
  });

  it('if several registered, a confirmation by an administrator makes none of their passwords valid', async () => {
    const email = 'contested@example.com';
    const [entryPoint] = REGISTRATION_APIS as readonly [RegistrationApi, RegistrationApi];
    for (const password of [SQUATTER_PASSWORD, PASSWORD]) await entryPoint.register(service, email, password);
    const named = { UserPoolId: service.userPoolId, Username: email };
    const listed = { UserPoolId: service.userPoolId, Filter: `email = "${email}"` };
    const { body } = await service.call('ListUsers', listed, service.asAdmin);
    const users = body.Users as readonly { readonly UserStatus: string }[];
    assert.deepEqual(
      users.map(({ UserStatus }) => UserStatus),
      ['UNCONFIRMED'],
    );
    assert.equal((await service.call('AdminConfirmSignUp', named, service.asAdmin)).status, 200);
    for (const password of [SQUATTER_PASSWORD, PASSWORD]) {
      assert.equal(await entryPoint.logIn(service, email, password), undefined);
    }
    assert.ok(await entryPoint.logInByCode(service, email));
  });
});
