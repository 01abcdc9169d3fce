import { createdCredential } from '@poolgate/contract';
import { requirePasskeys } from '../challenges/require-passkeys.ts';
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { readObjectOrJson } from '../kernel/object-or-json.ts';
import type { Handler } from '../runtime/handler.ts';
import { recordPasskeyFlag } from './caller-passkeys.ts';

/** POST /passkey/complete: activates the passkey. */
export const completePasskeyRegistration: Handler<'passkeyComplete'> = async (deps, { body, caller, call }) => {
  await requirePasskeys(deps);
  const credential = readObjectOrJson(createdCredential, 'credential', body.credential);
  await mapProviderErrors(
    deps.provider.operations.completeWebAuthnRegistration(
      { AccessToken: caller.accessToken, Credential: credential },
      call,
    ),
    { ...TOKEN_ERRORS, InvalidParameterException: 'invalid_credential' },
  );
  await recordPasskeyFlag(deps, caller);
  return {
    status: 200,
    body: { status: 'success', message: 'The passkey is registered.', data: {}, is_webauthn_enabled: true },
  };
};
