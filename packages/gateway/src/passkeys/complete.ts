import { createdCredential } from '@poolgate/contract';
import { refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { readStringified } from '../login/stringified.ts';
import { notePasskey } from './known.ts';
import { requirePasskeys } from './offered.ts';

/** POST /passkey/complete: the passkey counts from now on. */
export const completePasskey: Handler<'passkeyComplete'> = async (deps, { body, caller, context }) => {
  await requirePasskeys(deps);
  const credential = readStringified(createdCredential, 'credential', body.credential);
  await refusing(
    deps.provider.operations.completeWebAuthnRegistration(
      { AccessToken: caller.accessToken, Credential: credential },
      context,
    ),
    { ...TOKEN_REFUSALS, InvalidParameterException: 'invalid_credential' },
  );
  await notePasskey(deps, caller);
  return {
    status: 200,
    body: { status: 'success', message: 'The passkey is registered.', data: {}, is_webauthn_enabled: true },
  };
};
