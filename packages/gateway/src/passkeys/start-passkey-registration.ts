import { checkSchema, ROUTES, type Static } from '@poolgate/contract';
import { requirePasskeys } from '../challenges/require-passkeys.ts';
import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

const OPTIONS = ROUTES.passkeyStart.responses[200].schema;

/** POST and GET /passkey/start: the options for the browser, at the top level. */
export const startPasskeyRegistration: Handler<'passkeyStart'> = async (deps, { caller, call }) => {
  await requirePasskeys(deps);
  const { CredentialCreationOptions: options } = await mapProviderErrors(
    deps.provider.operations.startWebAuthnRegistration({ AccessToken: caller.accessToken }, call),
    TOKEN_ERRORS,
  );
  if (checkSchema(OPTIONS, options).length > 0) throw new GatewayError('provider_error');
  return { status: 200, body: options as Static<typeof OPTIONS> };
};
