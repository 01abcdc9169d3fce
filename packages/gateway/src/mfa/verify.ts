import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError, refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { PublicCaller, UserCaller } from '../guards/caller.ts';
import type { Handler } from '../handler.ts';
import { endOthers } from '../tokens/end-others.ts';
import { enrollingBy } from './enrolling.ts';
import { requireOffered, switchedOn } from './methods.ts';

interface Verification {
  readonly code: string;
  readonly name: string | undefined;
  readonly session: string | undefined;
  /** `end_other_sessions` of the request. */
  readonly ends: boolean | undefined;
  readonly caller: UserCaller | PublicCaller;
}

/** POST /user/mfa/verify. */
export const verifyMfa: Handler<'mfaVerify'> = async (deps, { body, caller, context }) => {
  const { code, device_name: name, session, end_other_sessions: ends } = body;
  return verify(deps, { code, name, session, ends, caller }, context);
};

/** POST /user/mfa/activate/{code}. */
export const verifyMfaByPath: Handler<'mfaVerifyByPath'> = async (deps, { params, body, caller, context }) => {
  const { device_name: name, session, end_other_sessions: ends } = body;
  return verify(deps, { code: params.code, name, session, ends, caller }, context);
};

/** Cognito only notes that the authenticator is proven; here MFA is on afterwards. Inside a login it does that itself. */
async function verify(deps: GatewayDeps, { code, name, session, ends, caller }: Verification, context: CallContext) {
  requireOffered(deps, ['SOFTWARE_TOKEN_MFA']);
  const { operations } = deps.provider;
  const { proof, refusals } = enrollingBy(caller, session);
  const { Status, Session } = await refusing(
    operations.verifySoftwareToken(
      { ...proof, UserCode: code, ...(name === undefined ? {} : { FriendlyDeviceName: name }) },
      context,
    ),
    refusals,
  );
  if (Status !== 'SUCCESS') throw new GatewayError('code_mismatch');
  if (caller.kind === 'user') {
    const preference = { AccessToken: caller.accessToken, ...switchedOn(deps, 'SOFTWARE_TOKEN_MFA') };
    await refusing(operations.setUserMFAPreference(preference, context), TOKEN_REFUSALS);
  }
  const ended = caller.kind === 'user' ? await endOthers(deps, caller, ends, context) : {};
  return {
    status: 200,
    body: {
      status: 'success',
      message: Session === undefined ? 'MFA is on.' : 'The authenticator is verified. Answer MFA_SETUP to go on.',
      data: {},
      ...(Session === undefined ? {} : { session: Session }),
      ...ended,
    },
  } as const;
}
