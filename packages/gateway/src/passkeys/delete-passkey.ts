import { requirePasskeys } from '../challenges/require-passkeys.ts';
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { applyEndOtherSessions } from '../sessions/end-other-sessions.ts';
import { syncPasskeys } from './caller-passkeys.ts';

/** DELETE /passkey/delete. The flag is cleared with the last passkey only. */
export const deletePasskey: Handler<'passkeyDelete'> = async (deps, { body, caller, call }) => {
  await requirePasskeys(deps);
  const { credential_id: credentialId, end_other_sessions: ends } = body;
  await mapProviderErrors(
    deps.provider.operations.deleteWebAuthnCredential(
      { AccessToken: caller.accessToken, CredentialId: credentialId },
      call,
    ),
    { ...TOKEN_ERRORS, ResourceNotFoundException: 'passkey_not_found' },
  );
  await deps.records.localPasskeys.delete(deps.userPoolId, caller.sub, credentialId);
  const left = await syncPasskeys(deps, caller, call);
  const ended = await applyEndOtherSessions(deps, caller, ends, call);
  const is_webauthn_enabled = left.length > 0;
  return {
    status: 200,
    body: { status: 'success', message: 'The passkey was removed.', data: {}, is_webauthn_enabled, ...ended },
  };
};
