import type { CodeLogin as ProviderCodeLogin } from '@poolgate/provider';
import { type ErrorMapping, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { CodeLogin, Handler } from '../runtime/handler.ts';
import { decryptRegistrationSession } from '../users/registration-session.ts';
import { confirmAtProvider } from './confirm-at-provider.ts';
import { CLAIM_ERRORS, readRegistrationClaim, requireCompleteConfirmation } from './registration-claim.ts';
import { readRequestedUsername } from './requested-username.ts';

/** A code for an unknown user, or for one who no longer needs it, counts as wrong. */
export const UNKNOWN_USER_AS_WRONG_CODE: ErrorMapping = {
  UserNotFoundException: 'code_mismatch',
  NotAuthorizedException: 'code_mismatch',
  UserNotConfirmedException: 'code_mismatch',
  UnsupportedUserStateException: 'code_mismatch',
};

/** The response to a correct code or link. */
export const CONFIRMED_RESPONSE = {
  status: 200,
  body: { status: 'success', message: 'The account is confirmed. You can log in now.', data: {} },
} as const;

/** The login that the provider offers after a code; undefined if it offers none. */
export const toCodeLogin = (username: string, { Session: session }: ProviderCodeLogin): CodeLogin | undefined =>
  session === undefined ? undefined : { username, session };

/** POST /register/verify. */
export const confirmRegistration: Handler<'registerVerify'> = async (deps, { body, call }) => {
  const { code: ConfirmationCode, session } = body;
  const Username = readRequestedUsername(body);
  const own = session === undefined ? undefined : decryptRegistrationSession(deps, Username, session);
  const claim = readRegistrationClaim(body, own?.providerSession);
  const { confirm_registration: confirm } = deps.provider.extensions;
  const confirmation = { ClientId: deps.clientId, Username, ConfirmationCode };
  // The holder of the correct code owns the address, and therefore also the other account that has verified it.
  const mapping = {
    ...CLAIM_ERRORS,
    ...UNKNOWN_USER_AS_WRONG_CODE,
    AliasExistsException: 'invalid_user_state',
  } as const;
  const confirmed = await mapProviderErrors(
    confirm?.({ ...confirmation, ...claim }, call) ??
      confirmAtProvider(deps, { input: confirmation, own, claim }, call),
    mapping,
  );
  requireCompleteConfirmation(confirmed);
  return { ...CONFIRMED_RESPONSE, codeLogin: toCodeLogin(Username, confirmed) };
};
