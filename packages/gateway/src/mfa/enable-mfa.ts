import { type CallContext, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import type { GatewayDeps, MfaType } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { mapAttributesByName } from '../users/attributes.ts';
import { createEnabledPreference, requireMfaOffered } from '../users/mfa-methods.ts';

/** The attribute that shows whether a user can read the messages. The provider knows about authenticators. */
const VERIFIED_ATTRIBUTES: Readonly<Record<MfaType, string | undefined>> = {
  SMS_MFA: 'phone_number_verified',
  EMAIL_OTP: 'email_verified',
  SOFTWARE_TOKEN_MFA: undefined,
};

/** The provider's errors if the user does not have the factor. */
const NOT_SET_UP: ReadonlySet<ProviderErrorCode> = new Set([
  'InvalidParameterException',
  'SoftwareTokenMFANotFoundException',
]);

/** POST /user/mfa/enable and /mfa/enable: for the user that an operator names. */
export const enableMfa: Handler<'mfaEnable'> = async (deps, { body, call }) => {
  const { method } = body;
  requireMfaOffered(deps, method === undefined ? [] : [method]);
  const user = await mapProviderErrors(
    deps.provider.operations.adminGetUser({ UserPoolId: deps.userPoolId, Username: body.username }, call),
    { UserNotFoundException: 'user_not_found' },
  );
  const attributes = mapAttributesByName(user.UserAttributes);
  const wanted = method === undefined ? deps.settings.mfaTypes : [method];
  let isOn = false;
  for (const each of wanted) {
    const proof = VERIFIED_ATTRIBUTES[each];
    if (proof !== undefined && attributes[proof] !== 'true') continue;
    isOn = (await enableFactors(deps, user.Username, each, call)) || isOn;
  }
  if (!isOn) throw new GatewayError('mfa_not_configured');
  return { status: 200, body: { status: 'success', message: 'MFA is on.', data: {} } };
};

/** One by one, so that a factor that the user lacks does not prevent the others. */
async function enableFactors(
  deps: GatewayDeps,
  username: string,
  method: MfaType,
  call: CallContext,
): Promise<boolean> {
  const input = { UserPoolId: deps.userPoolId, Username: username, ...createEnabledPreference(deps, method) };
  try {
    await deps.provider.operations.adminSetUserMFAPreference(input, call);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.reason === undefined && NOT_SET_UP.has(error.code)) return false;
    return mapProviderErrors(Promise.reject(error), { UserNotFoundException: 'user_not_found' });
  }
}
