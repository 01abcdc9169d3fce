import { ProviderError } from '@poolgate/provider';
import { createFault, createOkFinding, type Finding } from '../findings/finding.ts';
import { DOCTOR_CALL, type LoginStep, logInBySrp, respondToChallenge } from './rehearsal-login.ts';
import { type Rehearsal, requireTokens, storeTokens } from './rehearsal-state.ts';
import { computeTotpCode, TOTP_STEP_MS } from './totp-code.ts';

/** Sets up an authenticator, logs in with it, and disables it again. */
export async function rehearseTotp(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, context } = rehearsal;
  const { associateSoftwareToken, verifySoftwareToken } = subject.provider.operations;
  const { access: AccessToken } = requireTokens(rehearsal);
  const { SecretCode = '' } = await associateSoftwareToken({ AccessToken }, DOCTOR_CALL);
  const UserCode = computeTotpCode(SecretCode, context.clock.now());
  await verifySoftwareToken({ AccessToken, UserCode, FriendlyDeviceName: 'poolgate doctor' }, DOCTOR_CALL);
  await setTotpPreference(rehearsal, true);
  const asked = await logInBySrp(rehearsal);
  if (asked.ChallengeName !== 'SOFTWARE_TOKEN_MFA') {
    return createFault(
      `The login requires ${asked.ChallengeName ?? 'no second factor'}.`,
      'Switch SOFTWARE_TOKEN_MFA on.',
    );
  }
  const step = await answerTotpChallenge(rehearsal, asked, SecretCode);
  if (!storeTokens(rehearsal, step))
    return createFault('The authenticator code did not complete the login.', 'See the finding about the pool.');
  await setTotpPreference(rehearsal, false);
  return createOkFinding('An authenticator was set up, used to log in, and turned off.');
}

/** A code works once, and the current one is used up. The next one is valid if the pool tolerates clocks that are ahead. */
async function answerTotpChallenge(rehearsal: Rehearsal, asked: LoginStep, secret: string): Promise<LoginStep> {
  const { subject, context } = rehearsal;
  const USERNAME = asked.ChallengeParameters?.USER_ID_FOR_SRP ?? rehearsal.user.username;
  const nextMs = context.clock.now() + TOTP_STEP_MS;
  const responses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: computeTotpCode(secret, nextMs) };
  try {
    return await respondToChallenge(subject, asked, responses);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'CodeMismatchException') throw error;
    await new Promise<void>((resolve) => void context.timer.after(TOTP_STEP_MS, resolve));
    return respondToChallenge(subject, asked, responses);
  }
}

/** Enables or disables the authenticator. */
export async function setTotpPreference(rehearsal: Rehearsal, isOn: boolean): Promise<void> {
  const { access: AccessToken } = requireTokens(rehearsal);
  const SoftwareTokenMfaSettings = { Enabled: isOn, PreferredMfa: isOn };
  await rehearsal.subject.provider.operations.setUserMFAPreference(
    { AccessToken, SoftwareTokenMfaSettings },
    DOCTOR_CALL,
  );
  rehearsal.hasTotp = isOn;
}
