import { KEEP_ACCOUNT, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../kernel/audit-events.ts';
import type { AnswerStep, Challenge, ProofEffect } from './challenge.ts';

/**
 * Asks a user who asked for the deletion of the account whether to keep it, after every other proof. Cognito has no such question. Its
 * name for any question of a pool is used, so that clients of Cognito can answer it too.
 */
export const keepAccountChallenge: Challenge = {
  name: 'KEEP_ACCOUNT',
  cognitoName: 'CUSTOM_CHALLENGE',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  isOffered: () => false,
  issue: ({ candidate: { userId, found } }) => ({
    parameters: { USERNAME: userId, [KEEP_ACCOUNT]: new Date(found?.user.deletionAtMs ?? 0).toISOString() },
    state: new Uint8Array(),
  }),
  verifyAnswer(step) {
    if (step.sent.ANSWER === KEEP_ACCOUNT) return { outcome: 'proven', effect: createKeepEffect(step) };
    const error = new ProviderError('InvalidParameterException', `The answer must be ${KEEP_ACCOUNT}.`);
    return { outcome: 'declined', error };
  },
};

function createKeepEffect({ ports, pool, client, nowMs }: AnswerStep): ProofEffect {
  return async (transaction, { user, credential }) => {
    const change = { deletionAtMs: null, modifiedAtMs: nowMs };
    await transaction.users.update(pool.id, user.username, change);
    await recordEvent(ports, transaction, { type: 'user.deletion_canceled', pool, clientId: client.id, user });
    return { user: { ...user, ...change }, credential };
  };
}
