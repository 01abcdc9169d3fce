import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChallengeResponse, createScriptedClient, LOGIN_SUCCESS } from '../../testing/scripted-service.ts';
import { requireStep } from '../../testing/test-client.ts';

const LOGIN = { username: 'ada@example.com', password: 'Correct-Horse1!' };
const VERIFIER = { USER_ID_FOR_SRP: 'ada', SALT: 'ab', SRP_B: 'abcdef', SECRET_BLOCK: 'AAAA' };
const OF_REGISTRATION = { ...VERIFIER, REGISTRATION: 'true' };

describe('a password that is proven to a registration', () => {
  it('is proven once to the account instead if the registration has another one', async () => {
    const wrong = [401, { code: 'invalid_credentials' }] as const;
    const { client, requests } = createScriptedClient(
      createChallengeResponse('PASSWORD_VERIFIER', 's1', OF_REGISTRATION),
      wrong,
      createChallengeResponse('PASSWORD_VERIFIER', 's2', VERIFIER),
      LOGIN_SUCCESS,
    );
    requireStep('done', await client.login.withPassword(LOGIN));
    assert.deepEqual(
      requests.map(({ path, body }) => [path, body.with_registration, body.session]),
      [
        ['/login/srp', undefined, undefined],
        ['/login/auth-challenge', undefined, 's1'],
        ['/login/srp', false, undefined],
        ['/login/auth-challenge', undefined, 's2'],
      ],
    );
  });

  it('is requested again if the account rejects it too', async () => {
    const wrong = [401, { code: 'invalid_credentials' }] as const;
    const { client, requests } = createScriptedClient(
      createChallengeResponse('PASSWORD_VERIFIER', 's1', OF_REGISTRATION),
      wrong,
      createChallengeResponse('PASSWORD_VERIFIER', 's2', VERIFIER),
      wrong,
    );
    requireStep('refused', await client.login.withPassword(LOGIN));
    assert.equal(requests.length, 4);
  });

  it('is not proven to the account if the service failed', async () => {
    const { client, requests } = createScriptedClient(
      createChallengeResponse('PASSWORD_VERIFIER', 's1', OF_REGISTRATION),
      [503, { code: 'unavailable' }],
    );
    const step = requireStep('password', await client.login.withPassword(LOGIN));
    assert.deepEqual([step.error?.code, requests.length], ['unavailable', 2]);
  });
});
