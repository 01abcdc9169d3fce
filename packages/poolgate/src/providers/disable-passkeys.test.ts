import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { readConfiguration } from '../config/configuration.ts';
import { openContainer, setUpPool } from '../container/container.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { disablePasskeys } from './disable-passkeys.ts';

test('a passkey can be neither chosen nor answered if passkeys are off', async (context) => {
  const container = await openContainer(
    readConfiguration({}, { databaseUrl: 'sqlite::memory:' }),
    HOST_SYSTEM,
    () => {},
  );
  context.after(() => container.close());
  const { clientId } = await setUpPool(container);
  const { operations } = disablePasskeys(container.backend.provider);
  for (const step of [
    { ChallengeName: 'WEB_AUTHN', ChallengeResponses: { USERNAME: 'ada', CREDENTIAL: '{}' } },
    { ChallengeName: 'SELECT_CHALLENGE', ChallengeResponses: { USERNAME: 'ada', ANSWER: 'WEB_AUTHN' } },
  ] as const) {
    const answer = operations.respondToAuthChallenge(
      { ...step, ClientId: clientId, Session: 'x' },
      OPERATOR_CALL_CONTEXT,
    );
    await assert.rejects(answer, { code: 'InvalidParameterException', reason: 'challenge_mismatch' });
  }
});
