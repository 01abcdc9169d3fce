import type { CallContext } from '@poolgate/provider';
import type { PublicCaller, UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { applyEndOtherSessions } from '../sessions/end-other-sessions.ts';
import { createEnabledPreference, requireMfaOffered } from '../users/mfa-methods.ts';
import { requireTotpEnrollment } from './totp-enrollment.ts';

interface Verification {
  readonly code: string;
  readonly name: string | undefined;
  readonly session: string | undefined;
  /** `end_other_sessions` of the request. */
  readonly endOtherSessions: boolean | undefined;
  readonly caller: UserCaller | PublicCaller;
}

/** POST /user/mfa/verify. */
export const verifyMfa: Handler<'mfaVerify'> = async (deps, { body, caller, call }) => {
  const { code, device_name: name, session, end_other_sessions: endOtherSessions } = body;
  return verifyAuthenticator(deps, { code, name, session, endOtherSessions, caller }, call);
};

/** POST /user/mfa/activate/{code}. */
export const verifyMfaByPath: Handler<'mfaVerifyByPath'> = async (deps, { params, body, caller, call }) => {
  const { device_name: name, session, end_other_sessions: endOtherSessions } = body;
  return verifyAuthenticator(deps, { code: params.code, name, session, endOtherSessions, caller }, call);
};

/** Cognito only records that the authenticator is verified. Here, this also enables MFA. Within a login, the login does that. */
async function verifyAuthenticator(
  deps: GatewayDeps,
  { code, name, session, endOtherSessions, caller }: Verification,
  call: CallContext,
) {
  requireMfaOffered(deps, ['SOFTWARE_TOKEN_MFA']);
  const { operations } = deps.provider;
  const { proof, errors } = requireTotpEnrollment(caller, session);
  const { Status, Session } = await mapProviderErrors(
    operations.verifySoftwareToken(
      { ...proof, UserCode: code, ...(name === undefined ? {} : { FriendlyDeviceName: name }) },
      call,
    ),
    errors,
  );
  if (Status !== 'SUCCESS') throw new GatewayError('code_mismatch');
  if (caller.kind === 'user') {
    const preference = { AccessToken: caller.accessToken, ...createEnabledPreference(deps, 'SOFTWARE_TOKEN_MFA') };
    await mapProviderErrors(operations.setUserMFAPreference(preference, call), TOKEN_ERRORS);
  }
  const ended = caller.kind === 'user' ? await applyEndOtherSessions(deps, caller, endOtherSessions, call) : {};
  return {
    status: 200,
    body: {
      status: 'success',
      message:
        Session === undefined ? 'MFA is on.' : 'The authenticator is verified. Respond to MFA_SETUP to continue.',
      data: {},
      ...(Session === undefined ? {} : { session: Session }),
      ...ended,
    },
  } as const;
}
