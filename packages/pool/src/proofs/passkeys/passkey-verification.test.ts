import { describe, it, type TestContext } from 'node:test';
import { assertRefused } from '../../testing/assert-refused.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { forEachDatabase } from '../../testing/test-databases.ts';
import { startPasswordLogin } from '../../testing/test-logins.ts';
import {
  answerPasskey,
  completeRegistration,
  finishDiscoverableLogin,
  startDiscoverableLogin,
  startPasskeyLogin,
  startRegistration,
  TEST_ORIGIN,
  WEB_AUTHN,
} from '../../testing/test-passkeys.ts';
import { addUser, openTestPool, type TestPool } from '../../testing/test-pool.ts';
import { requireTokens } from '../../testing/test-tokens.ts';

const ADA = 'ada@example.com';

forEachDatabase((database) => {
  describe(`user verification on ${database.name}`, () => {
    async function opened(t: TestContext, pool: TestPool): Promise<TestPool> {
      t.after(() => pool.close());
      await addUser(pool, ADA);
      return pool;
    }

    it('is enforced if required, for registrations and logins on every replica', async (t) => {
      const webAuthn = { ...WEB_AUTHN, userVerification: 'required' } as const;
      const one = await opened(t, await openTestPool(await database.create(), { pool: { webAuthn } }));
      const other = one.replica();
      const key = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
      const { access } = requireTokens(await startPasswordLogin(one, ADA));
      const unverified = { userVerified: false };
      const bad = key.register(await startRegistration(one, access), unverified);
      await assertRefused(completeRegistration(other, access, bad), 'WebAuthnCredentialNotSupportedException');
      await completeRegistration(other, access, key.register(await startRegistration(one, access)));
      const { latest: passkey } = key;
      const named = await startPasskeyLogin(one, ADA);
      await assertRefused(answerPasskey(other, named, ADA, key, { ...unverified, passkey }), 'NotAuthorizedException');
      const nameless = await startDiscoverableLogin(one);
      await assertRefused(
        finishDiscoverableLogin(other, nameless, key, { ...unverified, passkey }),
        'NotAuthorizedException',
      );
      requireTokens(await answerPasskey(other, await startPasskeyLogin(one, ADA), ADA, key, { passkey }));
      requireTokens(await finishDiscoverableLogin(other, await startDiscoverableLogin(one), key, { passkey }));
    });

    it('is optional if preferred, for a user without a second factor', async (t) => {
      const one = await opened(t, await openTestPool(await database.create(), { pool: { webAuthn: WEB_AUTHN } }));
      const key = new SoftwareAuthenticator({ origin: TEST_ORIGIN, userVerified: false });
      const { access } = requireTokens(await startPasswordLogin(one, ADA));
      await completeRegistration(one, access, key.register(await startRegistration(one, access)));
      requireTokens(await answerPasskey(one, await startPasskeyLogin(one, ADA), ADA, key));
      requireTokens(await finishDiscoverableLogin(one, await startDiscoverableLogin(one), key));
    });
  });
});
