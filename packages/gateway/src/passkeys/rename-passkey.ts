import { requirePasskeys } from '../challenges/require-passkeys.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { listAllPasskeys, listLastPasskeyUses } from './caller-passkeys.ts';
import { presentPasskey } from './present-passkey.ts';

/** PATCH /passkey/{credential_id}: the name is stored here, because providers assign their own names. */
export const renamePasskey: Handler<'passkeyRename'> = async (deps, { params, body, caller, call }) => {
  await requirePasskeys(deps);
  const { credential_id: credentialId } = params;
  const known = await listAllPasskeys(deps, caller, call);
  const passkey = known.find(({ CredentialId }) => CredentialId === credentialId);
  if (passkey === undefined) throw new GatewayError('passkey_not_found');
  const { userPoolId, records, clock } = deps;
  const local = { userPoolId, sub: caller.sub, credentialId, name: body.name, updatedAtMs: clock.now() };
  const uses = await listLastPasskeyUses(deps, caller, call);
  await records.localPasskeys.put(local);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The passkey was renamed.',
      data: {},
      passkey: presentPasskey(passkey, { local, lastUsedAt: uses.get(credentialId) }),
    },
  };
};
