import { choiceNamed } from '../domain/first-factors.ts';
import { type AssertionAnswer, isCredentialId, readAssertion } from '../domain/passkey-answers.ts';
import { verifyAssertion } from '../domain/passkey-assertion.ts';
import { isUsable, newPasskeyChallenge, requestOptions, requirePasskeys, userHandleOf } from '../domain/passkeys.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PasskeyRecord, PoolRecord } from '../store/records.ts';
import type { AnswerStep, Challenge, Claim, Verdict } from './challenge.ts';

/**
 * A passkey. Nobody guesses a signature, so nothing is counted: a user whose password others keep locked still gets in.
 * It cannot be answered where the choice is pending: there is nothing to sign before it was issued.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
export const webAuthn: Challenge = {
  name: 'WEB_AUTHN',
  wireName: 'WEB_AUTHN',
  counter: undefined,
  spentBy: 'attempt',
  carrier: 'session',
  answersChoice: false,
  namesChoices: true,
  isOffered: (settings) => choiceNamed(settings, 'WEB_AUTHN') !== undefined,
  issue({ context, pool, candidate }, { passkeys }) {
    const challenge = newPasskeyChallenge(context.random);
    const options = requestOptions(context, pool, requirePasskeys(pool), { challenge, candidate, passkeys });
    return {
      parameters: { CREDENTIAL_REQUEST_OPTIONS: JSON.stringify(options) },
      state: Buffer.from(challenge, 'base64url'),
    };
  },
  async answer(step) {
    const answer = readAssertion(step.sent.CREDENTIAL ?? '');
    const passkey = await passkeyOf(step.context.store, step.pool, answer);
    return passkeyVerdict(step, answer, passkey, { needsUserHandle: false });
  },
};

/** The passkey that an answer is made with, whosever it is. */
export async function passkeyOf(
  store: PoolReads,
  pool: PoolRecord,
  { id }: AssertionAnswer,
): Promise<PasskeyRecord | undefined> {
  return isCredentialId(id) ? store.passkey(pool.id, id) : undefined;
}

/** Judges an answer to the challenge in the step's state. A passkey that is not the candidate's is no better than none. */
export async function passkeyVerdict(
  step: AnswerStep,
  answer: AssertionAnswer,
  found: PasskeyRecord | undefined,
  { needsUserHandle }: { readonly needsUserHandle: boolean },
): Promise<Verdict> {
  const { candidate, pool, state } = step;
  const settings = requirePasskeys(pool);
  const passkey = found?.username === candidate.userId && isUsable(settings, found) ? found : undefined;
  const assertion = await verifyAssertion(answer, {
    settings,
    challenge: Buffer.from(state).toString('base64url'),
    passkey,
    userHandle: userHandleOf(candidate.found?.user ?? { sub: candidate.userId }),
    needsUserHandle,
  });
  if (assertion === undefined || passkey === undefined || candidate.found === undefined) {
    return { outcome: 'disproven', error: incorrectPassword() };
  }
  // Answered as any other wrong one; only the audit log tells.
  if (assertion === 'copied') return { outcome: 'disproven', error: incorrectPassword(), tells: 'factor.maybe_copied' };
  return {
    outcome: 'proven',
    proof: assertion.isUserVerified ? 'WEB_AUTHN_VERIFIED' : 'WEB_AUTHN',
    claim: recordUse(step, passkey, assertion),
  };
}

/** One of several answers that were judged by the same counter; and the passkey must still be the one that was judged. */
function recordUse(
  { nowMs }: AnswerStep,
  { poolId, credentialId, username, publicKey, counter: fromCounter }: PasskeyRecord,
  { counter, isBackedUp }: Pick<PasskeyRecord, 'counter' | 'isBackedUp'>,
): Claim {
  return async (transaction) => {
    const now = await transaction.passkey(poolId, credentialId);
    const isSame = now?.username === username && now.publicKey === publicKey;
    const use = { fromCounter, counter, isBackedUp, lastUsedAtMs: nowMs };
    return isSame && (await transaction.usePasskey(poolId, credentialId, use)) ? undefined : incorrectPassword();
  };
}
