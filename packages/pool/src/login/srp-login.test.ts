import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COGNITO_GROUP, formatTimestamp } from '@poolgate/srp';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import {
  computeSrpAnswer,
  describeOutcome,
  loginByPassword,
  loginBySrp,
  type SrpChallenge,
  startSrpLogin,
} from '../testing/test-srp-logins.ts';

const WRONG = 'Incorrect username or password.';
const KNOWN = 'ada@example.com';
const UNKNOWN = 'nobody@example.com';

/** The response with some changed parameters. */
function altered(pool: TestPool, challenged: SrpChallenge, changes: Readonly<Record<string, unknown>>) {
  const answer = computeSrpAnswer(pool, challenged);
  const ChallengeResponses = { ...answer.ChallengeResponses, ...changes } as Record<string, string>;
  return describeOutcome(pool.operations.respondToAuthChallenge({ ...answer, ChallengeResponses }, TEST_CALL));
}

forEachDatabase((database) => {
  describe(`SRP login on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
      await addUser(pool, KNOWN);
      await addUser(pool, 'eve@example.com', 'Other-Horse1!');
    });
    after(() => pool.close());

    database.itOnSqlite('gives three tokens for the right password, and the same with plain text', async () => {
      const srp = await loginBySrp(pool, KNOWN);
      const plain = await loginByPassword(pool, KNOWN);
      for (const { AuthenticationResult, ChallengeParameters, ChallengeName } of [srp, plain]) {
        assert.deepEqual(Object.keys(AuthenticationResult ?? {}).sort(), [
          'AccessToken',
          'ExpiresIn',
          'IdToken',
          'NewDeviceMetadata',
          'RefreshToken',
          'TokenType',
        ]);
        assert.deepEqual(ChallengeParameters, {});
        assert.equal(ChallengeName, undefined);
      }
    });

    database.itOnSqlite('responds with the parameters of Cognito’s challenge, without a Session', async () => {
      const { output, parameters } = await startSrpLogin(pool, KNOWN);
      assert.equal(output.ChallengeName, 'PASSWORD_VERIFIER');
      assert.equal(output.Session, undefined);
      assert.equal(output.AuthenticationResult, undefined);
      assert.deepEqual(Object.keys(parameters).sort(), [
        'SALT',
        'SECRET_BLOCK',
        'SRP_B',
        'USERNAME',
        'USER_ID_FOR_SRP',
      ]);
      assert.match(parameters.SALT ?? '', /^[1-9a-f][0-9a-f]{0,31}$/);
      assert.match(parameters.SECRET_BLOCK ?? '', /^[A-Za-z0-9+/]{400,2048}={0,2}$/);
    });

    database.itOnSqlite('accepts the name of the first step, in any case, and the username in the answer', async () => {
      for (const name of ['ada@example.com', 'ADA@Example.com', undefined]) {
        const challenged = await startSrpLogin(pool, 'Ada@example.com');
        const USERNAME = name ?? challenged.parameters.USER_ID_FOR_SRP;
        assert.equal(await altered(pool, challenged, { USERNAME }), 'tokens');
      }
    });

    database.itOnSqlite('ignores surplus keys', async () => {
      const challenged = await startSrpLogin(pool, KNOWN);
      assert.equal(await altered(pool, challenged, { SMS_MFA_CODE: '123456' }), 'tokens');
    });

    const N = COGNITO_GROUP.modulus;
    const refused: Readonly<Record<string, unknown>> = {
      '0': '0',
      '00': '00',
      '-N': `-${N.toString(16)}`,
      'N with zeros': `00${N.toString(16)}`,
      '1': '1',
      'N-1': (N - 1n).toString(16),
      '0x..': '0x1234',
      '10 KB': 'a'.repeat(10_240),
      'Unicode digits': '１２３４',
      array: ['1234'],
      number: 1234,
      ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i + 1}N`, (N * BigInt(i + 1)).toString(16)])),
      'N+2': (N + 2n).toString(16),
    };
    for (const [what, SRP_A] of Object.entries(refused)) {
      database.itOnSqlite(`SRP_A = ${what} is refused for known and unknown names alike`, async () => {
        for (const USERNAME of [KNOWN, UNKNOWN]) {
          await assert.rejects(
            pool.operations.initiateAuth(
              {
                ClientId: pool.clientId,
                AuthFlow: 'USER_SRP_AUTH',
                AuthParameters: { USERNAME, SRP_A } as Record<string, string>,
              },
              TEST_CALL,
            ),
            { code: 'InvalidParameterException', message: 'Invalid SRP_A' },
          );
        }
      });
    }

    database.itOnSqlite('an empty or absent SRP_A is a missing parameter', async () => {
      for (const AuthParameters of [{ USERNAME: KNOWN }, { USERNAME: KNOWN, SRP_A: '' }]) {
        const input = { ClientId: pool.clientId, AuthFlow: 'USER_SRP_AUTH' as const, AuthParameters };
        await assert.rejects(pool.operations.initiateAuth(input, TEST_CALL), {
          code: 'InvalidParameterException',
          message: 'Missing required parameter SRP_A',
        });
      }
    });

    database.itOnSqlite('upper case, odd length and leading zeros are the same SRP_A', async () => {
      for (const spell of [(hex: string) => hex.toUpperCase(), (hex: string) => `0${hex}`]) {
        const challenged = await startSrpLogin(pool, KNOWN);
        const srpAHex = spell(challenged.start.srpAHex);
        const again = await startSrpLogin(pool, KNOWN, { SRP_A: srpAHex });
        assert.equal(await altered(pool, { ...again, start: challenged.start }, {}), 'tokens');
      }
    });

    for (const proof of [undefined, '', null]) {
      database.itOnSqlite(`a proof of ${JSON.stringify(proof)} is a missing parameter`, async () => {
        const challenged = await startSrpLogin(pool, KNOWN);
        const words = await altered(pool, challenged, { PASSWORD_CLAIM_SIGNATURE: proof });
        assert.equal(words, 'Missing required parameter PASSWORD_CLAIM_SIGNATURE');
        assert.equal(await altered(pool, challenged, {}), 'tokens');
      });
    }

    for (const proof of ['x', 'AAAA', Buffer.alloc(32).toString('base64'), [], {}, true]) {
      database.itOnSqlite(
        `a made-up proof ${JSON.stringify(proof)} gives no tokens and consumes the block`,
        async () => {
          const challenged = await startSrpLogin(pool, KNOWN);
          assert.equal(await altered(pool, challenged, { PASSWORD_CLAIM_SIGNATURE: proof }), WRONG);
          assert.equal(await altered(pool, challenged, {}), WRONG);
          assert.equal(await describeOutcome(loginBySrp(pool, KNOWN)), 'tokens');
        },
      );
    }

    it('a complete successful transcript is refused at once, later, and by another replica', async () => {
      const challenged = await startSrpLogin(pool, KNOWN);
      const answer = computeSrpAnswer(pool, challenged);
      assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), 'tokens');
      const replica = pool.replica();
      for (const waitMs of [0, 1_000, 600_000]) {
        pool.clock.advance(waitMs);
        for (const { operations } of [pool, replica]) {
          await assert.rejects(operations.respondToAuthChallenge(answer, TEST_CALL), {
            code: 'NotAuthorizedException',
            message: WRONG,
            reason: 'invalid_session',
          });
        }
      }
    });

    database.itOnSqlite('parts of another challenge prove nothing', async () => {
      const older = await startSrpLogin(pool, KNOWN);
      const hers = await startSrpLogin(pool, 'eve@example.com');
      const swaps: readonly Readonly<Record<string, string | undefined>>[] = [
        { SECRET_BLOCK: hers.parameters.SECRET_BLOCK },
        { SECRET_BLOCK: older.parameters.SECRET_BLOCK },
        { SALT: hers.parameters.SALT },
        { SRP_B: hers.parameters.SRP_B },
        { SRP_B: older.parameters.SRP_B },
      ];
      for (const swap of swaps) {
        const fresh = await startSrpLogin(pool, KNOWN);
        const forged = { ...fresh, parameters: { ...fresh.parameters, ...swap } as Record<string, string> };
        assert.equal(await altered(pool, forged, {}), WRONG, JSON.stringify(Object.keys(swap)));
        assert.equal(await describeOutcome(loginBySrp(pool, KNOWN)), 'tokens');
      }
    });

    database.itOnSqlite(
      'nothing repeats in 200 challenges, and every B, block and salt class looks the same',
      async () => {
        const seen = { SRP_B: new Set<string>(), SECRET_BLOCK: new Set<string>() };
        const lowBits = [0, 0];
        for (let i = 0; i < 200; i++) {
          const { SRP_B = '', SECRET_BLOCK = '' } = (await startSrpLogin(pool, KNOWN)).parameters;
          seen.SRP_B.add(SRP_B);
          seen.SECRET_BLOCK.add(SECRET_BLOCK);
          const bit = Number.parseInt(SRP_B.at(-1) ?? '', 16) & 1;
          lowBits[bit] = (lowBits[bit] ?? 0) + 1;
        }
        assert.deepEqual([seen.SRP_B.size, seen.SECRET_BLOCK.size], [200, 200]);
        assert.ok(Math.min(...lowBits) > 50, `low bits ${lowBits}`);
      },
    );

    it('an unknown name has one stable salt and user ID on every replica, different from others', async () => {
      const replica = pool.replica();
      const first = (await startSrpLogin(pool, UNKNOWN)).parameters;
      for (const [where, name] of [
        [pool, UNKNOWN],
        [replica, UNKNOWN],
        [replica, 'NoBody@Example.COM'],
      ] as const) {
        const { SALT, USER_ID_FOR_SRP } = (await startSrpLogin(where, name)).parameters;
        assert.deepEqual([SALT, USER_ID_FOR_SRP], [first.SALT, first.USER_ID_FOR_SRP]);
      }
      const other = (await startSrpLogin(pool, 'nobody2@example.com')).parameters;
      assert.notEqual(other.SALT, first.SALT);
      assert.notEqual(other.USER_ID_FOR_SRP, first.USER_ID_FOR_SRP);
    });

    database.itOnSqlite(
      'known and unknown names of the same length get responses of the same form and length',
      async () => {
        await addUser(pool, 'known1@example.com');
        const known = (await startSrpLogin(pool, 'known1@example.com')).parameters;
        const unknown = (await startSrpLogin(pool, 'other1@example.com')).parameters;
        assert.deepEqual(Object.keys(known), Object.keys(unknown));
        const lengthOf = (key: string) => [known, unknown].map((parameters) => parameters[key]?.length ?? 0);
        const [knownBlock = 0, unknownBlock = 0] = lengthOf('SECRET_BLOCK');
        // A salt may be a digit shorter. With two layers of base64, that is eight characters at most.
        assert.ok(Math.abs(knownBlock - unknownBlock) <= 8, `${knownBlock} and ${unknownBlock}`);
        assert.deepEqual(lengthOf('USER_ID_FOR_SRP'), [36, 36]);
        assert.match(
          unknown.USER_ID_FOR_SRP ?? '',
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      },
    );

    database.itOnSqlite('a UUID that is not a username is returned like one that is', async () => {
      const { USER_ID_FOR_SRP: ada = '' } = (await startSrpLogin(pool, KNOWN)).parameters;
      assert.equal((await startSrpLogin(pool, ada)).parameters.USER_ID_FOR_SRP, ada);
      const nobody = '00000000-0000-4000-8000-000000000000';
      assert.equal((await startSrpLogin(pool, nobody)).parameters.USER_ID_FOR_SRP, nobody);
    });

    database.itOnSqlite('a wrong proof gets the same error for known and unknown names', async () => {
      for (const name of [KNOWN, UNKNOWN]) {
        const challenged = await startSrpLogin(pool, name);
        await assert.rejects(
          pool.operations.respondToAuthChallenge(computeSrpAnswer(pool, challenged, 'wrong'), TEST_CALL),
          {
            code: 'NotAuthorizedException',
            message: WRONG,
            reason: 'invalid_credentials',
          },
        );
      }
      assert.equal(await describeOutcome(loginBySrp(pool, KNOWN)), 'tokens');
    });

    database.itOnSqlite('TIMESTAMP may differ by up to five minutes in either direction', async () => {
      for (const [offsetMs, expected] of [
        [-300_000, 'tokens'],
        [300_000, 'tokens'],
        [-301_000, WRONG],
        [301_000, WRONG],
      ] as const) {
        const challenged = await startSrpLogin(pool, KNOWN);
        const timestamp = formatTimestamp(pool.clock.now() + offsetMs);
        const answer = computeSrpAnswer(pool, challenged, PASSWORD, timestamp);
        assert.equal(
          await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)),
          expected,
          `${offsetMs}`,
        );
      }
    });

    database.itOnSqlite("only Cognito's form is accepted, and another one leaves the block usable", async () => {
      const now = pool.clock.now();
      const good = formatTimestamp(now);
      const [weekday, month, day, time, zone, year] = good.split(' ');
      const forms = [
        new Date(now).toISOString(),
        `${weekday} ${month}  ${day} ${time} ${zone} ${year}`,
        `${weekday} ${month} 0${day} ${time} ${zone} ${year}`,
        `${weekday} ${month} ${day} ${time} GMT ${year}`,
        `${weekday}, ${month} ${day} ${time} ${zone} ${year}`,
        `Do Mai ${day} ${time} ${zone} ${year}`,
        ` ${good}`,
        `${good}\n`,
        String(now),
      ];
      const challenged = await startSrpLogin(pool, KNOWN);
      for (const timestamp of forms) {
        const answer = computeSrpAnswer(pool, challenged, PASSWORD, timestamp);
        assert.equal(
          await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)),
          WRONG,
          timestamp,
        );
      }
      assert.equal(await altered(pool, challenged, {}), 'tokens');
    });
  });
});
