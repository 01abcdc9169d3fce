import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { createDisabledPreference } from '../users/mfa-methods.ts';
import { type FoundUser, NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** POST /admin/users/{username}/mfa/reset: also ends all logins of the user. */
export const resetMfa: Handler<'adminUserMfaReset'> = async (deps, { params, call }) => {
  const found = await requireUser(deps, params.username, call);
  const { sub, identifiers } = found;
  await mapProviderErrors(resetFactors(deps, found, call), NAMED_USER_ERRORS);
  // In Cognito, disabling factors does not end logins.
  await mapProviderErrors(deps.provider.operations.adminUserGlobalSignOut(identifiers, call), NAMED_USER_ERRORS);
  await recordUserRevocation(deps, sub);
  return {
    status: 200,
    body: { status: 'success', message: 'The second factors of the user were removed.', data: {} },
  };
};

/** A provider that cannot remove factors can stop requiring them. */
async function resetFactors({ provider }: GatewayDeps, { identifiers }: FoundUser, call: CallContext): Promise<void> {
  const { reset_mfa: resetAll } = provider.extensions;
  if (resetAll) return resetAll(identifiers, call);
  await provider.operations.adminSetUserMFAPreference({ ...identifiers, ...createDisabledPreference() }, call);
}
