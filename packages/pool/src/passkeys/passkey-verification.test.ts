import { describe, it, type TestContext } from 'node:test';
import { SoftwareAuthenticator } from '../testing/authenticator.ts';
import { forEachDatabase } from '../testing/databases.ts';
import { login } from '../testing/login.ts';
import {
  answerPasskey,
  choosePasskey,
  completeRegistration,
  finishDiscoverable,
  ORIGIN,
  startDiscoverable,
  startRegistration,
  WEB_AUTHN,
} from '../testing/passkeys.ts';
import { addUser, openTestPool, type TestPool } from '../testing/pool.ts';
import { assertRefused } from '../testing/refusal.ts';
import { tokensOf } from '../testing/tokens.ts';

const ADA = 'ada@example.com';

forEachDatabase((database) => {
  describe(`user verification on ${database.name}`, () => {
    async function opened(t: TestContext, pool: TestPool): Promise<TestPool> {
      t.after(() => pool.close());
      await addUser(pool, ADA);
      return pool;
    }

    it('where it is required nobody registers or logs in without, whichever replica looks', async (t) => {
      const webAuthn = { ...WEB_AUTHN, userVerification: 'required' } as const;
      const one = await opened(t, await openTestPool(await database.create(), { pool: { webAuthn } }));
      const other = one.replica();
      const key = new SoftwareAuthenticator({ origin: ORIGIN });
      const { access } = tokensOf(await login(one, ADA));
      const unverified = { userVerified: false };
      const bad = key.register(await startRegistration(one, access), unverified);
      await assertRefused(completeRegistration(other, access, bad), 'WebAuthnCredentialNotSupportedException');
      await completeRegistration(other, access, key.register(await startRegistration(one, access)));
      const { latest: passkey } = key;
      const named = await choosePasskey(one, ADA);
      await assertRefused(answerPasskey(other, named, ADA, key, { ...unverified, passkey }), 'NotAuthorizedException');
      const nameless = await startDiscoverable(one);
      await assertRefused(
        finishDiscoverable(other, nameless, key, { ...unverified, passkey }),
        'NotAuthorizedException',
      );
      tokensOf(await answerPasskey(other, await choosePasskey(one, ADA), ADA, key, { passkey }));
      tokensOf(await finishDiscoverable(other, await startDiscoverable(one), key, { passkey }));
    });

    it('where it is preferred a passkey without it logs in who has no second factor', async (t) => {
      const one = await opened(t, await openTestPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } }));
      const key = new SoftwareAuthenticator({ origin: ORIGIN, userVerified: false });
      const { access } = tokensOf(await login(one, ADA));
      await completeRegistration(one, access, key.register(await startRegistration(one, access)));
      tokensOf(await answerPasskey(one, await choosePasskey(one, ADA), ADA, key));
      tokensOf(await finishDiscoverable(one, await startDiscoverable(one), key));
    });
  });
});
