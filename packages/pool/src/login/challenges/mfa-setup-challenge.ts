import { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../kernel/audit-events.ts';
import { lockUserFactors } from '../../proofs/totp/totp-enrolment.ts';
import { isEmailAddress } from '../../settings/attribute-schema.ts';
import { determineSecondFactors, enableMfaMethod } from '../../settings/second-factors.ts';
import type { AnswerStep, Challenge, ParameterMap, ProofEffect } from './challenge.ts';

/** The data of a setup in the session. */
export interface MfaSetupState {
  /** Whether a new authenticator was verified with a code. */
  readonly totpProven: boolean;
}

/** Encodes the data for the answer to {@link mfaSetupChallenge}. */
export function encodeMfaSetupState({ totpProven }: MfaSetupState): Uint8Array {
  return Uint8Array.of(totpProven ? 1 : 0);
}

/**
 * The setup of a second factor within a login: an authenticator, by the operations that take its session, or an email address, which
 * receives a code.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
export const mfaSetupChallenge: Challenge = {
  name: 'MFA_SETUP',
  cognitoName: 'MFA_SETUP',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue({ pool, candidate: { userId, found } }, { totp }) {
    const wanted = found && determineSecondFactors(pool.settings, found.user, totp !== undefined);
    const methods = wanted?.kind === 'setup' ? wanted.methods : [];
    return {
      parameters: { MFAS_CAN_SETUP: JSON.stringify(methods), USER_ID_FOR_SRP: userId },
      state: encodeMfaSetupState({ totpProven: false }),
    };
  },
  verifyAnswer(step) {
    if (step.state[0] === 1) return { outcome: 'proven', effect: createEnableFactorEffect(step) };
    const address = readSetupAddress(step.sent);
    if (address === undefined) return { outcome: 'declined', error: noFactorSetUpError() };
    checkSetupAddress(step, address);
    return { outcome: 'continues', to: 'EMAIL_SETUP' };
  },
};

/** Clients use either spelling of the key. */
function readSetupAddress(sent: ParameterMap): string | undefined {
  return sent.EMAIL ?? sent.email;
}

function createEnableFactorEffect({ ports, pool, client, nowMs }: AnswerStep): ProofEffect {
  return async (transaction, { user, credential }) => {
    await lockUserFactors(transaction, pool, user.username, nowMs);
    const now = (await transaction.users.byUsername(pool.id, user.username)) ?? user;
    const change = enableMfaMethod(now, 'SOFTWARE_TOKEN_MFA');
    await transaction.users.update(pool.id, user.username, { ...change, modifiedAtMs: nowMs });
    const details = { methods: change.mfaMethods.join(' '), preferred: 'SOFTWARE_TOKEN_MFA' };
    const about = { pool, user: now, clientId: client.id, details };
    await recordEvent(ports, transaction, { type: 'factor.preference_changed', ...about });
    return { user: { ...now, ...change, modifiedAtMs: nowMs }, credential };
  };
}

/** @throws {ProviderError} `InvalidParameterException`: no address, or one that this user may not set up */
function checkSetupAddress({ pool, candidate: { found } }: AnswerStep, address: string): void {
  const wanted = found && determineSecondFactors(pool.settings, found.user, false);
  const maySetUp = wanted?.kind === 'setup' && wanted.methods.includes('EMAIL_OTP');
  if (!maySetUp) throw new ProviderError('InvalidParameterException', 'Email MFA cannot be set up for the user.');
  if (!isEmailAddress(address)) throw new ProviderError('InvalidParameterException', 'Invalid email address format.');
}

function noFactorSetUpError(): ProviderError {
  return new ProviderError('InvalidParameterException', 'User has not set up a second factor.');
}
