import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { ProviderLoginStep } from './present-login-step.ts';

/**
 * Starts SRP at the provider. Nothing is proven yet, so the provider's errors about the user's state look like a failed login.
 * @param session the provider's session of a registration
 * @throws {GatewayError}
 */
export function startSrpAtProvider(
  deps: GatewayDeps,
  parameters: Readonly<Record<string, string>>,
  call: CallContext,
  session?: string,
): Promise<ProviderLoginStep> {
  return startAtProvider(deps, 'USER_SRP_AUTH', parameters, call, session);
}

/**
 * Starts a login whose order the triggers decide, with SRP if the parameters say so.
 * @throws {GatewayError}
 */
export function startCustomAtProvider(
  deps: GatewayDeps,
  parameters: Readonly<Record<string, string>>,
  call: CallContext,
): Promise<ProviderLoginStep> {
  return startAtProvider(deps, 'CUSTOM_AUTH', parameters, call);
}

function startAtProvider(
  deps: GatewayDeps,
  AuthFlow: 'CUSTOM_AUTH' | 'USER_SRP_AUTH',
  AuthParameters: Readonly<Record<string, string>>,
  call: CallContext,
  session?: string,
): Promise<ProviderLoginStep> {
  const registered = session === undefined ? {} : { Session: session };
  return mapProviderErrors(
    deps.provider.operations.initiateAuth({ AuthFlow, ClientId: deps.clientId, AuthParameters, ...registered }, call),
    { PasswordResetRequiredException: 'invalid_credentials' },
  );
}

/** The parameters of a PASSWORD_VERIFIER challenge. @throws {GatewayError} provider_error if one is missing */
export function readVerifierChallenge({ ChallengeParameters: parameters = {} }: ProviderLoginStep): {
  readonly saltHex: string;
  readonly srpBHex: string;
  readonly secretBlockB64: string;
  readonly userIdForSrp: string;
} {
  const { SALT, SRP_B, SECRET_BLOCK, USER_ID_FOR_SRP } = parameters;
  if (!SALT || !SRP_B || !SECRET_BLOCK || !USER_ID_FOR_SRP) throw new GatewayError('provider_error');
  return { saltHex: SALT, srpBHex: SRP_B, secretBlockB64: SECRET_BLOCK, userIdForSrp: USER_ID_FOR_SRP };
}
