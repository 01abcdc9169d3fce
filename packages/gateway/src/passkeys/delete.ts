import { refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endOthers } from '../tokens/end-others.ts';
import { passkeysInStep } from './known.ts';
import { requirePasskeys } from './offered.ts';

/** DELETE /passkey/delete. The flag goes with the last passkey only. */
export const deletePasskey: Handler<'passkeyDelete'> = async (deps, { body, caller, context }) => {
  await requirePasskeys(deps);
  const { credential_id: credentialId, end_other_sessions: ends } = body;
  await refusing(
    deps.provider.operations.deleteWebAuthnCredential(
      { AccessToken: caller.accessToken, CredentialId: credentialId },
      context,
    ),
    { ...TOKEN_REFUSALS, ResourceNotFoundException: 'passkey_not_found' },
  );
  await deps.records.deleteLocalPasskey(deps.userPoolId, caller.sub, credentialId);
  const left = await passkeysInStep(deps, caller, context);
  const ended = await endOthers(deps, caller, ends, context);
  const is_webauthn_enabled = left.length > 0;
  return {
    status: 200,
    body: { status: 'success', message: 'The passkey was removed.', data: {}, is_webauthn_enabled, ...ended },
  };
};
