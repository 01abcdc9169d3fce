import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PoolSettings } from '@poolgate/pool/store';
import { startChoiceLogin } from '../../packages/pool/src/testing/test-logins.ts';
import { WEB_AUTHN } from '../../packages/pool/src/testing/test-passkeys.ts';
import { openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { createSrpStart } from '../support/routes/route-srp.ts';

const HOUR_MS = 3_600_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const EMAIL = 'zoe@quux.example';
const PHONE = '+4915551234567';

interface Naming {
  readonly settings: Partial<PoolSettings>;
  /** The username, attributes and all names of an existing user. */
  readonly username: string;
  readonly names: readonly string[];
  /** Unknown names, and whether each is certain to be a username. */
  readonly nobody: Readonly<Record<string, boolean | undefined>>;
}

const NAMINGS: Readonly<Record<string, Naming>> = {
  'sign-in by address or number': {
    settings: { usernameAttributes: ['email', 'phone_number'] },
    username: EMAIL,
    names: [EMAIL, 'ZOE@Quux.example', PHONE],
    nobody: { 'bob@corge.example': false, 'Bob@Corge.example': false, '+4915557654321': false, 'no contact': false },
  },
  'user names': {
    settings: { usernameAttributes: [] },
    username: 'zoe',
    names: ['zoe', 'ZOE'],
    nobody: { bob: true, BOB: true, 'bob@corge.example': true },
  },
  'user names and aliases': {
    settings: { usernameAttributes: [], aliasAttributes: ['email', 'phone_number'] },
    username: 'zoe',
    names: ['zoe', EMAIL, PHONE],
    nobody: { bob: true, 'bob@corge.example': false, '+4915557654321': false, '@bob': true },
  },
  'user names and preferred ones': {
    settings: { usernameAttributes: [], aliasAttributes: ['preferred_username'] },
    username: '7a0d5c0e-6ae9-4f1b-9c52-0c4dbb2a5a3e',
    names: ['7a0d5c0e-6ae9-4f1b-9c52-0c4dbb2a5a3e', 'zoe-the-first'],
    nobody: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`bob${at}`, undefined])),
  },
  'user names that tell cases apart': {
    settings: { usernameAttributes: ['email'], usernamesAreCaseSensitive: true },
    username: EMAIL,
    names: [EMAIL],
    nobody: { 'bob@corge.example': false, 'Bob@corge.example': false },
  },
};

for (const [naming, { settings, username, names, nobody }] of Object.entries(NAMINGS)) {
  describe(`the names of one user, with ${naming}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool('sqlite::memory:', {
        pool: { ...settings, firstFactors: ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'], webAuthn: WEB_AUTHN },
      });
      const user = { UserPoolId: pool.userPoolId, Username: username };
      const attributes = { email: EMAIL, email_verified: 'true', phone_number: PHONE, phone_number_verified: 'true' };
      await pool.operations.adminCreateUser(
        {
          ...user,
          MessageAction: 'SUPPRESS',
          UserAttributes: Object.entries({ ...attributes, preferred_username: 'zoe-the-first' }).map(
            ([Name, Value]) => ({ Name, Value }),
          ),
        },
        TEST_CALL,
      );
      await pool.operations.adminSetUserPassword({ ...user, Password: PASSWORD, Permanent: true }, TEST_CALL);
    });
    after(() => pool.close());

    /** Everything that an unknown caller learns about a name. */
    async function told(name: string) {
      pool.clock.advance(2 * HOUR_MS);
      const {
        SRP_B: _,
        SECRET_BLOCK,
        ...srp
      } = (
        await pool.operations.initiateAuth(
          {
            ClientId: pool.clientId,
            AuthFlow: 'USER_SRP_AUTH',
            AuthParameters: { USERNAME: name, SRP_A: createSrpStart().srpAHex },
          },
          TEST_CALL,
        )
      ).ChallengeParameters ?? {};
      const forgot = await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: name }, TEST_CALL);
      const passkey = (await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'WEB_AUTHN' })).ChallengeParameters;
      const { challenge, ...options } = JSON.parse(passkey?.CREDENTIAL_REQUEST_OPTIONS ?? '{}');
      const codes = [];
      for (const PREFERRED_CHALLENGE of ['EMAIL_OTP', 'SMS_OTP']) {
        codes.push((await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE })).ChallengeParameters);
      }
      return {
        srp,
        forgot: forgot.CodeDeliveryDetails,
        list: (await startChoiceLogin(pool, name)).AvailableChallenges,
        options,
        codes,
      };
    }

    it('reveal the same if the user exists', async () => {
      const [first = '', ...others] = names;
      const wanted = await told(first);
      for (const name of [...others, wanted.srp.USER_ID_FOR_SRP ?? ''])
        assert.deepEqual(await told(name), wanted, name);
    });

    it('reveal the same if the user does not exist', async () => {
      const isItself = [];
      for (const [name, isUserName] of Object.entries(nobody)) {
        const wanted = await told(name);
        const { USER_ID_FOR_SRP: id = '' } = wanted.srp;
        assert.deepEqual(await told(id), wanted, name);
        const same = id === name.toLowerCase();
        isItself.push(same);
        if (isUserName !== undefined) assert.equal(same, isUserName, name);
        if (!same) assert.match(id, UUID);
        if (name.includes('@c')) assert.equal(wanted.codes[0]?.CODE_DELIVERY_DESTINATION, 'b***@c***', name);
        if (name.startsWith('+')) assert.equal(wanted.codes[1]?.CODE_DELIVERY_DESTINATION, '+*********4321', name);
      }
      // Each of twenty names is equally likely to be either kind, so they all agree once in half a million runs.
      if (isItself.length === 20) assert.equal(new Set(isItself).size, 2);
    });
  });
}
