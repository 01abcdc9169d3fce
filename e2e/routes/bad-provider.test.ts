import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Gateway } from '@poolgate/gateway';
import { COGNITO_GROUP, formatTimestamp, signClaim } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { openTestEnvironment, type TestEnvironment } from '../../packages/pool/src/testing/test-environment.ts';
import { addUser, openTestPoolOn, PASSWORD, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { createSrpStart } from '../support/routes/route-srp.ts';
import { createGatewayServer } from '../support/services/gateway-server.ts';

const ADA = 'ada@example.com';
const N = COGNITO_GROUP.modulus;

describe('SRP values that force the result, from either side', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    await addUser(pool, ADA);
  });
  after(() => opened.close());

  async function post(gateway: Gateway, path: string, body: unknown) {
    const headers = { host: 'localhost', 'content-type': 'application/json' };
    const answer = await gateway.inject({ method: 'POST', path, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
  }

  it('ends the login before anything is signed if the provider’s SRP_B is 0, N, 2N, 1 or N - 1', async (t) => {
    for (const srpB of [0n, N, 2n * N, 1n, N - 1n]) {
      const answers: string[] = [];
      const { operations } = pool.embedded;
      // A pool that verifies the password itself is not asked for SRP_B.
      const { log_in_with_password: _, ...extensions } = pool.embedded.extensions;
      const embedded: TestPool['embedded'] = {
        ...pool.embedded,
        extensions,
        operations: {
          ...operations,
          async initiateAuth(input, call) {
            const output = await operations.initiateAuth(input, call);
            return { ...output, ChallengeParameters: { ...output.ChallengeParameters, SRP_B: srpB.toString(16) } };
          },
          respondToAuthChallenge(input, call) {
            answers.push(input.ChallengeName ?? '');
            return operations.respondToAuthChallenge(input, call);
          },
        },
      };
      const gateway = await createGatewayServer(opened, { ...pool, embedded });
      t.after(() => gateway.close());
      const { status, body } = await post(gateway, '/login', { username: ADA, password: PASSWORD });
      assert.deepEqual([status, body.code, answers], [502, 'provider_error', []]);
    }
  });

  it('refuses a claim that is signed with the key of S = 0', async (t) => {
    const gateway = await createGatewayServer(opened, pool);
    t.after(() => gateway.close());
    const { body } = await post(gateway, '/login/srp', { username: ADA, srp_a: createSrpStart().srpAHex });
    const { SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = body.challenge_params as Readonly<Record<string, string>>;
    const timestamp = formatTimestamp(pool.clock.now());
    const identity = { poolName: pool.userPoolId.split('_')[1] ?? '', userIdForSrp: USER_ID_FOR_SRP };
    // The key of a client that computes with S = 0 and any u: HKDF over one zero byte.
    const zeroKey = new Uint8Array(
      await crypto.subtle.deriveBits(
        {
          name: 'HKDF',
          hash: 'SHA-256',
          salt: new Uint8Array(1),
          info: new TextEncoder().encode('Caldera Derived Key'),
        },
        await crypto.subtle.importKey('raw', new Uint8Array(1), 'HKDF', false, ['deriveBits']),
        128,
      ),
    );
    const signature = signClaim(engine, zeroKey, { identity, secretBlockB64: SECRET_BLOCK, timestamp });
    const refused = await post(gateway, '/login/auth-challenge', {
      challenge_name: 'PASSWORD_VERIFIER',
      session: body.session,
      username: ADA,
      challenge_value: {
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: signature,
        TIMESTAMP: timestamp,
      },
    });
    assert.deepEqual([refused.status, refused.body.code], [401, 'invalid_credentials']);
  });
});
