import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { OWNERSHIP_PROOFS, readGetUserSub, registerAsAttacker } from '../support/routes/ownership-proofs.ts';
import {
  REGISTRATION_APIS,
  type RegistrationApi,
  readSub,
  SQUATTER_PASSWORD,
} from '../support/routes/registration-apis.ts';
import { countSent, findLastCode, registerUser } from '../support/routes/route-account.ts';
import { ORIGIN, RP_ID, registerNewPasskey as registerPasskey } from '../support/routes/route-passkeys.ts';
import { PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const NEXT = 'Another-Horse2!';

/** A way to recover a password. */
interface Recovery {
  readonly name: string;
  forget(service: TestService, email: string): Promise<Exchange>;
  reset(service: TestService, email: string, code: string): Promise<Exchange>;
}

const RECOVERIES: readonly Recovery[] = [
  {
    name: 'the routes',
    forget: (service, email) => service.post('/password/forgot', { email }),
    reset: (service, email, code) => service.post('/password/reset', { email, code, password: NEXT }),
  },
  {
    name: 'the Cognito-compatible API',
    forget: ({ call, clientId }, Username) => call('ForgotPassword', { ClientId: clientId, Username }),
    reset: ({ call, clientId }, Username, ConfirmationCode) =>
      call('ConfirmForgotPassword', { ClientId: clientId, Username, ConfirmationCode, Password: NEXT }),
  },
];

/** An account in which nothing is verified. */
interface Account {
  readonly name: string;
  make(service: TestService, entryPoint: RegistrationApi, email: string, phone: string): Promise<unknown>;
}

const ACCOUNTS: readonly Account[] = [
  {
    name: 'was registered',
    make: (service, entryPoint, email) => entryPoint.register(service, email, SQUATTER_PASSWORD),
  },
  {
    name: 'was registered with a telephone',
    make: (service, entryPoint, email, phone) => entryPoint.register(service, email, SQUATTER_PASSWORD, phone),
  },
  {
    name: 'was confirmed by an administrator, with a telephone',
    make: (service, entryPoint, email, phone) => registerAsAttacker(service, entryPoint, email, phone),
  },
];

/** The content of a response without the letters that depend on the name, to compare responses for different names. */
function shapeOf({ status, text }: Exchange): unknown {
  const compared = text.replaceAll(/"Destination":"[^"]*"|urn:uuid:[0-9a-f-]{36}/g, '');
  return [status, compared.replace(/"session":"[^"]*"/, ({ length }) => `${length}`)];
}

describe('recovery of an account that an attacker registered', () => {
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

  const newNames = () => {
    cases += 1;
    return {
      email: `case${cases}@example.com`,
      unknown: `none${cases}@example.com`,
      phone: `+1555000${String(cases).padStart(4, '0')}`,
    };
  };

  for (const [n, recovery] of RECOVERIES.entries()) {
    const entryPoint = REGISTRATION_APIS[n] ?? assert.fail();
    for (const account of ACCOUNTS) {
      it(`by ${recovery.name}: an account that ${account.name} cannot be recovered, and answers like an unknown name`, async () => {
        const { email, unknown, phone } = newNames();
        await account.make(service, entryPoint, email, phone);
        const signUpCode = findLastCode(service, email);
        const sent = [countSent(service, email), countSent(service, phone)];
        const [asked, asNobody] = [await recovery.forget(service, email), await recovery.forget(service, unknown)];
        assert.deepEqual(shapeOf(asked), shapeOf(asNobody));
        assert.equal(asked.text.includes(phone.slice(-4)), false);
        assert.deepEqual([countSent(service, email), countSent(service, phone)], sent);
        const [reset, resetNobody] = [
          await recovery.reset(service, email, signUpCode),
          await recovery.reset(service, unknown, signUpCode),
        ];
        assert.deepEqual(shapeOf(reset), shapeOf(resetNobody));
        assert.equal(reset.status, 400);
        assert.equal(await entryPoint.logIn(service, email, NEXT), undefined);
      });

      it(`by ${recovery.name}: once the owner of an account that ${account.name} has verified the address, only the owner can reset it`, async () => {
        const { email, phone } = newNames();
        await account.make(service, entryPoint, email, phone);
        await recovery.forget(service, email);
        const way = OWNERSHIP_PROOFS.find(({ needsCodes }) => needsCodes) ?? assert.fail();
        const owner = await way.prove(service, entryPoint, email);
        assert.ok(owner);
        await recovery.forget(service, email);
        assert.equal(countSent(service, phone), 0);
        const reset = await recovery.reset(service, email, findLastCode(service, email));
        assert.equal(reset.status, 200, reset.text);
        assert.equal(await entryPoint.logIn(service, email, SQUATTER_PASSWORD), undefined);
        const own = await entryPoint.logIn(service, email, NEXT);
        assert.equal(own && readSub(own), readSub(owner));
      });
    }

    it(`by ${recovery.name}: a reset of an account with a verified contact ends its sessions and its old password, and nothing else`, async () => {
      const { email } = newNames();
      await registerUser(service, email);
      const before = (await entryPoint.logIn(service, email, PASSWORD)) ?? assert.fail();
      const authenticator = new SoftwareAuthenticator({ origin: ORIGIN });
      assert.equal((await registerPasskey(service, before.access, authenticator)).status, 200);
      await entryPoint.register(service, email, SQUATTER_PASSWORD, '+15559990000');
      await recovery.forget(service, email);
      const reset = await recovery.reset(service, email, findLastCode(service, email));
      assert.equal(reset.status, 200, reset.text);
      assert.equal(await readGetUserSub(service, before.access), undefined);
      for (const password of [PASSWORD, SQUATTER_PASSWORD]) {
        assert.equal(await entryPoint.logIn(service, email, password), undefined);
      }
      const own = (await entryPoint.logIn(service, email, NEXT)) ?? assert.fail();
      assert.equal(readSub(own), readSub(before));
      const passkeys = (await service.get('/passkey', createBearerHeader(own.access))).body
        .passkeys as readonly unknown[];
      assert.equal(passkeys.length, 1);
    });
  }

  it('no "this was not me" link goes to an unverified contact, so an attacker gets none', async () => {
    for (const entryPoint of REGISTRATION_APIS) {
      const { email, phone } = newNames();
      const { access } = await registerAsAttacker(service, entryPoint, email, phone);
      const body = { password: SQUATTER_PASSWORD, new_password: NEXT };
      const changed = await service.post('/user/changepassword', body, createBearerHeader(access));
      assert.equal(changed.status, 200, changed.text);
      const texts = [email, phone].flatMap((to) => service.outbox?.list(to).map(({ text }) => text) ?? []);
      assert.ok(texts.length > 0);
      assert.deepEqual(
        texts.filter((text) => text.includes('not-me')),
        [],
      );
    }
  });
});
