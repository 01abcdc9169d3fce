import { ADMIN_SCOPES, type CallContext } from '@poolgate/provider';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import { refuseScopes } from '../guards/admin-key-errors.ts';
import type { AdminCaller } from '../kernel/caller.ts';
import type { Snapshots } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** GET /admin/snapshots. */
export const listSnapshots: Handler<'adminSnapshotList'> = async (deps, { caller, call }) => {
  const found = await (await requireSnapshots(deps, caller, call)).list();
  const snapshots = found.map(({ name, bytes, savedAtMs }) => ({
    name,
    bytes,
    saved_at: new Date(savedAtMs).toISOString(),
  }));
  return { status: 200, body: { status: 'success', message: 'The snapshots.', data: {}, snapshots } };
};

/** PUT /admin/snapshots/{name}. */
export const saveSnapshot: Handler<'adminSnapshotSave'> = async (deps, { caller, call, params: { name } }) => {
  await (await requireSnapshots(deps, caller, call)).save(name);
  return { status: 200, body: { status: 'success', message: 'The snapshot was saved.', data: {} } };
};

/** POST /admin/snapshots/{name}/restore. */
export const restoreSnapshot: Handler<'adminSnapshotRestore'> = async (deps, { caller, call, params: { name } }) => {
  const refusal = await (await requireSnapshots(deps, caller, call)).restore(name);
  if (refusal !== undefined) throw new GatewayError(REFUSALS[refusal.kind], refusal.reason);
  await recordGatewayEvent(deps, call, { type: 'store.restored', details: { snapshot: name } });
  return { status: 200, body: { status: 'success', message: 'The snapshot was restored.', data: {} } };
};

/** DELETE /admin/snapshots/{name}. */
export const deleteSnapshot: Handler<'adminSnapshotDelete'> = async (deps, { caller, call, params: { name } }) => {
  if (!(await (await requireSnapshots(deps, caller, call)).delete(name))) {
    throw new GatewayError('not_found', `The snapshot ${name} does not exist.`);
  }
  return { status: 200, body: { status: 'success', message: 'The snapshot was deleted.', data: {} } };
};

/** POST /admin/reset. */
export const resetStore: Handler<'adminReset'> = async (deps, { caller, call }) => {
  await (await requireSnapshots(deps, caller, call)).reset();
  await recordGatewayEvent(deps, call, { type: 'store.reset' });
  return { status: 200, body: { status: 'success', message: 'The store is as after a first start.', data: {} } };
};

const REFUSALS = { missing: 'not_found', unusable: 'invalid_parameter' } as const;

/**
 * A snapshot contains admin keys and the audit log. Restoring one could give a key the scopes that it lacks.
 * @throws {GatewayError} feature_disabled, forbidden
 */
async function requireSnapshots(
  deps: GatewayRuntime,
  { keyId, scopes }: AdminCaller,
  call: CallContext,
): Promise<Snapshots> {
  const { snapshots } = deps;
  if (snapshots === undefined) {
    throw new GatewayError('feature_disabled', 'Snapshots work in development only, with the embedded pool.');
  }
  const missing = ADMIN_SCOPES.filter((scope) => !scopes.has(scope));
  const detail = 'Snapshots require an admin key with every scope.';
  if (missing.length > 0) await refuseScopes(deps, keyId, { scopes: missing, detail }, call);
  return snapshots;
}
