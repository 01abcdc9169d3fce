import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COGNITO_GROUP, formatTimestamp, startClientWithPrivateValue } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { SPENT_PROOF_CODE } from '../support/provider/tested-provider.ts';
import {
  createFiveKeyClaim,
  createSignedClaim,
  createSrpStart,
  createUnsignedClaim,
  createVerifierAnswer,
  logInBySrp,
  type RouteChallenge,
  startSrpLogin,
} from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const NOBODY = 'nobody@example.com';
const ANSWER = '/login/auth-challenge';
const N = COGNITO_GROUP.modulus;
const hex = (value: bigint): string => value.toString(16);

describe('attacks on SRP at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    for (const name of [ADA, BOB]) await addUser(service, name);
  });
  after(() => service.close());

  const answer = (challenge: RouteChallenge, value: unknown, more: Readonly<Record<string, unknown>> = {}) =>
    service.post(ANSWER, createVerifierAnswer(challenge, value, more));

  it('a public value that forces the result is refused for known and unknown users', async () => {
    const multiples = [0n, N, 2n * N, 3n * N, 4n * N, 5n * N, 6n * N, 7n * N, 8n * N].map(hex);
    for (const srp_a of [...multiples, '', '00', `-${hex(N)}`, `00${hex(N)}`, `0${hex(N)}`]) {
      for (const username of [ADA, NOBODY]) {
        assertInvalidField(await service.post('/login/srp', { username, srp_a }), 'srp_a', srp_a.slice(0, 12));
      }
    }
  });

  it('the Cognito-compatible API refuses the same values', async () => {
    for (const SRP_A of [0n, N, 2n * N, 1n, N - 1n].map(hex)) {
      const { status, body } = await service.call('InitiateAuth', {
        ClientId: service.clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: ADA, SRP_A },
      });
      assert.deepEqual([status, body.__type, body.ChallengeName], [400, 'InvalidParameterException', undefined]);
    }
  });

  it('anything but a hexadecimal number between 1 and N - 1 is refused', async () => {
    const good = createSrpStart().srpAHex;
    const values = [
      '1',
      hex(N - 1n),
      hex(N + 5n),
      hex(BigInt(`0x${good}`) + N),
      `0x${good}`,
      'f'.repeat(10_240),
      '٣'.repeat(8),
    ];
    for (const srp_a of [...values, ` ${good}`, `${good}\n`, [good], 5, null, true, {}]) {
      assertInvalidField(
        await service.post('/login/srp', { username: ADA, srp_a }),
        'srp_a',
        String(srp_a).slice(0, 12),
      );
    }
  });

  it('a missing proof never gives tokens', async () => {
    const challenge = await startSrpLogin(service, ADA);
    const { PASSWORD_CLAIM_SIGNATURE: _, ...unproven } = createSignedClaim(service, challenge);
    assertInvalidField(
      await answer(challenge, unproven, { challenge_params: challenge.parameters }),
      /^challenge_value/,
    );
    requireTokens(await answer(challenge, createSignedClaim(service, challenge)));
  });

  it('an invented signature is a failed login', async () => {
    for (const PASSWORD_CLAIM_SIGNATURE of [
      'AAAA',
      Buffer.alloc(32).toString('base64'),
      Buffer.alloc(32, 7).toString('base64'),
    ]) {
      const challenge = await startSrpLogin(service, ADA);
      const value = { ...createSignedClaim(service, challenge), PASSWORD_CLAIM_SIGNATURE };
      assertProblem(await answer(challenge, value), 401, 'invalid_credentials');
      assertProblem(await answer(challenge, createSignedClaim(service, challenge)), 401, SPENT_PROOF_CODE);
      requireTokens(await logInBySrp(service, ADA));
    }
  });

  it('a complete transcript works once, also when replayed at once, after a second and after ten minutes', async () => {
    for (const form of [createSignedClaim, createUnsignedClaim, createFiveKeyClaim]) {
      const challenge = await startSrpLogin(service, ADA);
      const more =
        form === createSignedClaim ? {} : { session: challenge.start?.aHex, challenge_params: challenge.parameters };
      const body = createVerifierAnswer(challenge, form(service, challenge), more);
      requireTokens(await service.post(ANSWER, body));
      for (const laterMs of [0, 1000, 600_000]) {
        service.clock.advance(laterMs);
        assertProblem(await service.post(ANSWER, body), 401, SPENT_PROOF_CODE, `${laterMs}`);
      }
    }
  });

  it('a secret block, salt or SRP_B of another login is refused', async () => {
    const older = await startSrpLogin(service, ADA);
    const [adas, bobs] = [await startSrpLogin(service, ADA), await startSrpLogin(service, BOB)];
    const mixed = [
      [bobs, { ...createSignedClaim(service, bobs), PASSWORD_CLAIM_SECRET_BLOCK: adas.parameters.SECRET_BLOCK }],
      [adas, { ...createSignedClaim(service, adas), PASSWORD_CLAIM_SECRET_BLOCK: older.parameters.SECRET_BLOCK }],
      [bobs, createSignedClaim(service, { ...adas, username: BOB })],
    ] as const;
    for (const [challenge, value] of mixed) assertProblem(await answer(challenge, value), 401, 'invalid_session');
    for (const name of ['SALT', 'SRP_B'] as const) {
      const fresh = await startSrpLogin(service, ADA);
      const value = { ...createFiveKeyClaim(service, fresh), [name]: bobs.parameters[name] };
      assertProblem(await answer(fresh, value, { session: fresh.start?.aHex }), 401, 'invalid_credentials', name);
    }
    requireTokens(await logInBySrp(service, ADA));
  });

  it('random values never repeat', async () => {
    const seen = { session: new Set<string>(), SRP_B: new Set<string>(), SECRET_BLOCK: new Set<string>() };
    const rounds = 60;
    for (let round = 0; round < rounds; round += 1) {
      const { session, parameters } = await startSrpLogin(service, ADA, { serverMade: round % 2 === 0 });
      seen.session.add(session);
      for (const name of ['SRP_B', 'SECRET_BLOCK'] as const) seen[name].add(parameters[name] ?? '');
    }
    for (const values of Object.values(seen)) assert.equal(values.size, rounds);
  });

  it('a private value that does not match the SRP_A is refused before the provider is called', async () => {
    const challenge = await startSrpLogin(service, ADA);
    const wrong = [
      '0',
      '1',
      hex(N),
      hex(2n ** 4096n),
      createSrpStart().aHex,
      hex(BigInt(`0x${challenge.start?.aHex}`) + 1n),
    ];
    for (const session of wrong) {
      const refusal = await answer(challenge, createFiveKeyClaim(service, challenge), { session });
      assertProblem(refusal, 401, 'invalid_session', session.slice(0, 12));
      const claim = { ...createUnsignedClaim(service, challenge), PRIVATE_KEY: session };
      assertInvalidField(
        await answer(challenge, claim, { challenge_params: challenge.parameters }),
        /^challenge_value/,
        session.slice(0, 12),
      );
    }
    const { srpAHex } = startClientWithPrivateValue({ engine, aHex: challenge.start?.aHex ?? '' });
    assert.equal(srpAHex, challenge.start?.srpAHex);
    // The secret block is still valid, because nothing reached the provider.
    requireTokens(await answer(challenge, createFiveKeyClaim(service, challenge), { session: challenge.start?.aHex }));
  });

  it('a private value of the service allows one answer, right or wrong', async () => {
    for (const [password, first] of [
      [PASSWORD, 200],
      ['Wrong-Horse1!', 401],
    ] as const) {
      const challenge = await startSrpLogin(service, ADA, { serverMade: true });
      assert.equal((await answer(challenge, createFiveKeyClaim(service, challenge, password))).status, first);
      assertProblem(await answer(challenge, createFiveKeyClaim(service, challenge)), 401, 'invalid_session');
    }
    requireTokens(await logInBySrp(service, ADA));
  });

  it('a private value of the service expires after 60 seconds', async () => {
    for (const [ageMs, status] of [
      [59_999, 200],
      [60_000, 401],
    ] as const) {
      const challenge = await startSrpLogin(service, ADA, { serverMade: true });
      service.clock.advance(ageMs);
      assert.equal((await answer(challenge, createFiveKeyClaim(service, challenge))).status, status, `${ageMs}`);
    }
  });

  it('a private value of the service is refused for another user or secret block', async () => {
    const [one, other] = [await startSrpLogin(service, ADA, { serverMade: true }), await startSrpLogin(service, BOB)];
    assertProblem(
      await answer(other, createFiveKeyClaim(service, other), { session: one.session }),
      401,
      'invalid_session',
    );
    assertProblem(await answer({ ...one, username: BOB }, createFiveKeyClaim(service, one)), 401, 'invalid_session');
    requireTokens(await answer(one, createFiveKeyClaim(service, one)));
  });

  it('both a signature and helper keys are refused, and so is neither', async () => {
    const challenge = await startSrpLogin(service, ADA);
    const signed = createSignedClaim(service, challenge);
    const both = { ...signed, ...createFiveKeyClaim(service, challenge) };
    const { PASSWORD_CLAIM_SIGNATURE: _, ...neither } = signed;
    for (const value of [both, neither]) {
      assertInvalidField(
        await answer(challenge, value, { challenge_params: challenge.parameters }),
        /^challenge_value/,
      );
    }
    requireTokens(await answer(challenge, signed));
  });

  it('TIMESTAMP may differ by up to five minutes in either direction', async () => {
    // The text has no fractions of a second.
    service.clock.advance(1000 - (service.clock.now() % 1000));
    for (const [offsetMs, status] of [
      [-300_000, 200],
      [300_000, 200],
      [-301_000, 401],
      [301_000, 401],
    ] as const) {
      const challenge = await startSrpLogin(service, ADA);
      const timestamp = formatTimestamp(service.clock.now() + offsetMs);
      const value = createSignedClaim(service, challenge, PASSWORD, timestamp);
      assert.equal((await answer(challenge, value)).status, status, `${offsetMs}`);
    }
  });

  it('a password is compared exactly: any characters, never truncated, never normalized', async () => {
    const passwords = [
      `Aa1!${'x'.repeat(252)}`,
      `Aa1!${'y'.repeat(68)}z`,
      'Aa1!nulls',
      'Aa1!😀😀😀😀',
      'Aa1!e\u0301te\u0301',
    ];
    for (const [index, password] of passwords.entries()) {
      const name = `password${index}@example.com`;
      await addUser(service, name, password);
      requireTokens(await logInBySrp(service, name, password));
      requireTokens(await service.post('/login', { username: name, password }));
      const variants = [
        [...password].slice(0, -1).join(''),
        [...password].slice(0, 72).join(''),
        `${password}\0more`,
        password.toLowerCase(),
        password.normalize('NFC'),
        password.trim(),
      ];
      for (const variant of new Set(variants.filter((text) => text !== password && [...text].length <= 256))) {
        assertProblem(
          await service.post('/login', { username: name, password: variant }),
          401,
          'invalid_credentials',
          variant,
        );
        // After earlier failures are forgotten, so that their number does not cause a refusal.
        service.clock.advance(16 * 60_000);
      }
      assertInvalidField(
        await service.post('/login', { username: name, password: `${password}${'x'.repeat(257)}` }),
        'password',
      );
    }
  });
});
