import { check, ROUTES, type Static } from '@poolgate/contract';
import { GatewayError, refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { requirePasskeys } from './offered.ts';

const OPTIONS = ROUTES.passkeyStart.responses[200].schema;

/** POST and GET /passkey/start: the options for the browser, at the top level. */
export const startPasskey: Handler<'passkeyStart'> = async (deps, { caller, context }) => {
  await requirePasskeys(deps);
  const { CredentialCreationOptions: options } = await refusing(
    deps.provider.operations.startWebAuthnRegistration({ AccessToken: caller.accessToken }, context),
    TOKEN_REFUSALS,
  );
  if (check(OPTIONS, options).length > 0) throw new GatewayError('provider_error');
  return { status: 200, body: options as Static<typeof OPTIONS> };
};
