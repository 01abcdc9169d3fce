/**
 * Handlers of passkeys: registration, names, and login without a username.
 */
import { requirePasskeys } from '../challenges/require-passkeys.ts';
import type { Handler } from '../runtime/handler.ts';
import { listLastPasskeyUses, syncPasskeys } from './caller-passkeys.ts';
import { presentPasskey } from './present-passkey.ts';

/** GET /passkey: lists all of them, because a user has few. Names of removed passkeys are deleted. */
export const listPasskeys: Handler<'passkeyList'> = async (deps, { caller, call }) => {
  await requirePasskeys(deps);
  const { records, userPoolId } = deps;
  // The names first: a name that exists before the passkeys are read, but belongs to none of them, is a leftover.
  const locals = await records.localPasskeys.list(userPoolId, caller.sub);
  const known = await syncPasskeys(deps, caller, call);
  const localById = new Map(locals.map((local) => [local.credentialId, local]));
  const uses = await listLastPasskeyUses(deps, caller, call);
  const passkeys = known.map((passkey) => {
    const { CredentialId: id } = passkey;
    return presentPasskey(passkey, { local: localById.get(id), lastUsedAt: uses.get(id) });
  });
  for (const { credential_id: id } of passkeys) localById.delete(id);
  for (const id of localById.keys()) await records.localPasskeys.delete(userPoolId, caller.sub, id);
  return { status: 200, body: { status: 'success', message: 'The passkeys.', data: {}, passkeys } };
};
