import { ProviderError } from '@poolgate/provider';
import { type Finding, failed, ok } from '../finding.ts';
import { CALL, proveUser, respond, type Step } from './login.ts';
import { keepTokens, type Rehearsal, requireTokens } from './rehearsal-state.ts';
import { TOTP_STEP_MS, totpCode } from './totp-code.ts';

/** Sets an authenticator up, logs in with it, and switches it off again. */
export async function rehearseTotp(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, context } = rehearsal;
  const { associateSoftwareToken, verifySoftwareToken } = subject.provider.operations;
  const { access: AccessToken } = requireTokens(rehearsal);
  const { SecretCode = '' } = await associateSoftwareToken({ AccessToken }, CALL);
  const UserCode = totpCode(SecretCode, context.clock.now());
  await verifySoftwareToken({ AccessToken, UserCode, FriendlyDeviceName: 'poolgate doctor' }, CALL);
  await preferTotp(rehearsal, true);
  const asked = await proveUser(rehearsal);
  if (asked.ChallengeName !== 'SOFTWARE_TOKEN_MFA') {
    return failed(`The login asks for ${asked.ChallengeName ?? 'no second factor'}.`, 'Switch SOFTWARE_TOKEN_MFA on.');
  }
  const step = await answered(rehearsal, asked, SecretCode);
  if (!keepTokens(rehearsal, step))
    return failed('The code of the authenticator did not end the login.', 'See the pool.');
  await preferTotp(rehearsal, false);
  return ok('An authenticator is set up, logs in, and is switched off again.');
}

/** A code works once, and the one of this time is used up: the next one is good where the pool allows for clocks that are ahead. */
async function answered(rehearsal: Rehearsal, asked: Step, secret: string): Promise<Step> {
  const { subject, context } = rehearsal;
  const USERNAME = asked.ChallengeParameters?.USER_ID_FOR_SRP ?? rehearsal.user.username;
  const nextMs = context.clock.now() + TOTP_STEP_MS;
  const responses = { USERNAME, SOFTWARE_TOKEN_MFA_CODE: totpCode(secret, nextMs) };
  try {
    return await respond(subject, asked, responses);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'CodeMismatchException') throw error;
    await new Promise<void>((resolve) => void context.timer.after(TOTP_STEP_MS, resolve));
    return respond(subject, asked, responses);
  }
}

/** Switches the authenticator on or off. */
export async function preferTotp(rehearsal: Rehearsal, isOn: boolean): Promise<void> {
  const { access: AccessToken } = requireTokens(rehearsal);
  const SoftwareTokenMfaSettings = { Enabled: isOn, PreferredMfa: isOn };
  await rehearsal.subject.provider.operations.setUserMFAPreference({ AccessToken, SoftwareTokenMfaSettings }, CALL);
  rehearsal.hasTotp = isOn;
}
