import { incorrectPasswordError } from '../../identity/login-errors.ts';
import type { CallPort } from '../../kernel/ports.ts';
import { findFirstFactorChoice } from '../../proofs/first-factors.ts';
import { verifyAssertion } from '../../proofs/passkeys/passkey-assertion.ts';
import {
  belongsToRelyingParty,
  createPasskeyRequestOptions,
  generatePasskeyChallenge,
  requirePasskeySettings,
  toUserHandle,
} from '../../proofs/passkeys/passkey-options.ts';
import {
  type PasskeyRefusalPort,
  reportPasskeyRefusal,
  withPasskeyRefusalReports,
} from '../../proofs/passkeys/passkey-refusals.ts';
import {
  type AssertionResponse,
  isCredentialId,
  parseAssertionResponse,
  readCredentialId,
} from '../../proofs/passkeys/passkey-responses.ts';
import type { PoolReads } from '../../store/pool-store.ts';
import type { PasskeyRecord, PoolRecord } from '../../store/records.ts';
import type { AnswerStep, AnswerVerdict, Challenge, FinalCheck, ProofName } from './challenge.ts';

/**
 * A passkey. Signatures cannot be guessed. Failures are therefore not counted, and a locked password does not matter. While the choice is
 * pending, it cannot be answered, because there is nothing to sign yet.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
export const webAuthnChallenge: Challenge = {
  name: 'WEB_AUTHN',
  cognitoName: 'WEB_AUTHN',
  counter: undefined,
  spentBy: 'attempt',
  carrier: 'session',
  answersChoice: false,
  namesChoices: true,
  isOffered: (settings) => findFirstFactorChoice(settings, 'WEB_AUTHN') !== undefined,
  issue({ ports, pool, candidate }, { passkeys }) {
    const challenge = generatePasskeyChallenge(ports.random);
    const options = createPasskeyRequestOptions(ports, pool, requirePasskeySettings(pool), {
      challenge,
      candidate,
      passkeys,
    });
    return {
      parameters: { CREDENTIAL_REQUEST_OPTIONS: JSON.stringify(options) },
      state: Buffer.from(challenge, 'base64url'),
    };
  },
  readKeys: async (reads, { pool, sent }) => ({
    passkey: await findPasskeyInAnswer(reads, pool, { id: readCredentialId(sent.CREDENTIAL ?? '') }),
  }),
  async verifyAnswer(step) {
    const answer = await parsePasskeyAnswer(step.ports, step.sent.CREDENTIAL ?? '');
    return verifyPasskeyAnswer(step, answer, step.keys.passkey, { needsUserHandle: false });
  },
};

/**
 * Parses an authenticator's response.
 * @throws {ProviderError} `InvalidParameterException`, reason `invalid_credential`: it is malformed
 */
export function parsePasskeyAnswer(
  ports: PasskeyRefusalPort & CallPort,
  credential: string,
): Promise<AssertionResponse> {
  return withPasskeyRefusalReports(ports, 'assertion', async () => parseAssertionResponse(credential));
}

/** Finds the passkey of a response, for any user. */
export async function findPasskeyInAnswer(
  store: Pick<PoolReads, 'passkeys'>,
  pool: PoolRecord,
  { id }: Pick<AssertionResponse, 'id'>,
): Promise<PasskeyRecord | undefined> {
  return isCredentialId(id) ? store.passkeys.byCredentialId(pool.id, id) : undefined;
}

/** Verifies a response to the challenge in the step's state. Another user's passkey counts as none. */
export async function verifyPasskeyAnswer(
  step: AnswerStep,
  answer: AssertionResponse,
  found: PasskeyRecord | undefined,
  { needsUserHandle }: { readonly needsUserHandle: boolean },
): Promise<AnswerVerdict> {
  const { candidate, pool, state } = step;
  const settings = requirePasskeySettings(pool);
  const passkey = found?.username === candidate.userId && belongsToRelyingParty(settings, found) ? found : undefined;
  const assertion = await verifyAssertion(answer, {
    settings,
    challenge: Buffer.from(state).toString('base64url'),
    passkey,
    userHandle: toUserHandle(candidate.found?.user ?? { sub: candidate.userId }),
    needsUserHandle,
  });
  if (typeof assertion === 'string' || passkey === undefined || candidate.found === undefined) {
    const code = typeof assertion === 'string' ? assertion : 'unknown_credential';
    reportPasskeyRefusal(step.ports, { answer: 'assertion', code });
    const wrong = { outcome: 'disproven', error: incorrectPasswordError() } as const;
    // Clients get the same error for every code. Only the log and the audit log differ.
    return code === 'counter' ? { ...wrong, eventType: 'factor.maybe_copied' } : wrong;
  }
  return {
    outcome: 'proven',
    proof: toPasskeyProof(passkey, assertion),
    finalCheck: createPasskeyUseCheck(step, passkey, assertion),
    rereadKeys: async (transaction) => ({
      passkey: await transaction.passkeys.byCredentialId(pool.id, passkey.credentialId),
    }),
  };
}

function toPasskeyProof(
  { attachment }: PasskeyRecord,
  { isUserVerified }: { readonly isUserVerified: boolean },
): ProofName {
  const proof = isUserVerified ? 'WEB_AUTHN_VERIFIED' : 'WEB_AUTHN';
  return attachment === 'cross-platform' ? `ROAMING_${proof}` : proof;
}

/** Of several responses that were verified with the same counter, one is accepted, and the passkey must not have changed. */
function createPasskeyUseCheck(
  { nowMs, ports }: AnswerStep,
  { poolId, credentialId, username, publicKey, counter: fromCounter }: PasskeyRecord,
  { counter, isBackedUp }: Pick<PasskeyRecord, 'counter' | 'isBackedUp'>,
): FinalCheck {
  return async (transaction, { keys: { passkey: now } }) => {
    const isSame = now?.username === username && now.publicKey === publicKey;
    if (!isSame || now.counter !== fromCounter) {
      reportPasskeyRefusal(ports, { answer: 'assertion', code: isSame ? 'counter' : 'unknown_credential' });
      return incorrectPasswordError();
    }
    const use = { username, publicKey, fromCounter, counter, isBackedUp, lastUsedAtMs: nowMs };
    await transaction.passkeys.use(poolId, credentialId, use);
    return undefined;
  };
}
