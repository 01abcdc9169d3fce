import { ADMIN_SCOPES, type AdminScope, type CallContext } from '@poolgate/provider';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import { findActiveAdminKey } from '../guards/admin-key.ts';
import { refuseScopes } from '../guards/admin-key-errors.ts';
import type { AdminCaller } from '../kernel/caller.ts';
import { GatewayError, invalidFieldError, unauthenticatedError } from '../kernel/gateway-errors.ts';
import { formatIsoTimeFromMs } from '../kernel/times.ts';
import type { AdminKeyRecord } from '../records/index.ts';
import type { Handler } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

const DAY_SECONDS = 86_400;
const DEFAULT_DAYS = 365;
const MOST_DAYS = 3650;

/** GET /admin/keys. Keys from the environment are not stored and not listed. */
export const listAdminKeys: Handler<'adminKeyList'> = async ({ records }) => {
  const keys = await records.adminKeys.list();
  return {
    status: 200,
    body: { status: 'success', message: 'The admin keys.', data: {}, keys: keys.map(presentAdminKey) },
  };
};

/** POST /admin/keys: only this response contains the secret. A key ends with the key that creates it. */
export const makeAdminKey: Handler<'adminKeyCreate'> = async (runtime, { body, caller, call }) => {
  const { label, days = DEFAULT_DAYS } = body;
  const scopes = [...new Set(body.scopes.map(parseScope))];
  if (days < 1 || days > MOST_DAYS) throw invalidFieldError('days', 'out_of_range', `must be 1 to ${MOST_DAYS}`);
  await requireScopes(runtime, caller, scopes, call);
  const { id, secret } = await createAdminKey(runtime, {
    label,
    scopes,
    lifetimeSeconds: Math.min(days * DAY_SECONDS, await findLongestLifetime(runtime, caller)),
    createdBy: caller.keyId,
  });
  await recordGatewayEvent(runtime, call, {
    type: 'admin_key.created',
    details: { key_id: id, label, scopes: scopes.join(' ') },
  });
  const key = await runtime.records.adminKeys.find(id);
  if (key === undefined) throw new GatewayError('admin_key_not_found');
  return {
    status: 201,
    body: {
      status: 'success',
      message: 'The admin key was created.',
      data: {},
      key: presentAdminKey(key),
      admin_key: `pg_${id}_${secret}`,
    },
  };
};

/** DELETE /admin/keys/{key_id}. */
export const revokeAdminKey: Handler<'adminKeyRevoke'> = async (runtime, { params, caller, call }) => {
  const { records, clock } = runtime;
  const key = await records.adminKeys.find(params.key_id);
  if (key === undefined) throw new GatewayError('admin_key_not_found');
  await requireScopes(runtime, caller, key.scopes, call);
  if (!(await records.adminKeys.revoke(key.id, clock.now()))) throw new GatewayError('admin_key_not_found');
  await recordGatewayEvent(runtime, call, { type: 'admin_key.revoked', details: { key_id: key.id } });
  return { status: 200, body: { status: 'success', message: 'The admin key was revoked.', data: {} } };
};

/** Keys in memory never expire, so what they create gets the default. */
async function findLongestLifetime(runtime: GatewayRuntime, { keyId }: AdminCaller): Promise<number> {
  const key = await findActiveAdminKey(runtime, keyId);
  const lifetimeSeconds = key === undefined ? 0 : Math.floor((key.expiresAtMs - runtime.clock.now()) / 1000);
  if (lifetimeSeconds < 1) throw unauthenticatedError('no_admin_key');
  return Number.isFinite(lifetimeSeconds) ? lifetimeSeconds : DEFAULT_DAYS * DAY_SECONDS;
}

function parseScope(text: string): AdminScope {
  const scope = ADMIN_SCOPES.find((name) => name === text);
  if (scope === undefined) throw invalidFieldError('scopes', 'unknown', `must be among: ${ADMIN_SCOPES.join(', ')}`);
  return scope;
}

/** A key with few scopes must neither create a stronger one nor take a stronger one away. */
async function requireScopes(
  runtime: GatewayRuntime,
  { keyId, scopes }: AdminCaller,
  wanted: readonly AdminScope[],
  call: CallContext,
): Promise<void> {
  const missing = wanted.filter((scope) => !scopes.has(scope));
  const detail = `Your admin key does not have the scopes of that key: ${missing.join(', ')}.`;
  if (missing.length > 0) await refuseScopes(runtime, keyId, { scopes: missing, detail }, call);
}

function presentAdminKey({ id, label, scopes, createdBy, ...times }: AdminKeyRecord) {
  const { createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs } = times;
  return {
    key_id: id,
    label,
    scopes: [...scopes],
    created_at: formatIsoTimeFromMs(createdAtMs),
    expires_at: formatIsoTimeFromMs(expiresAtMs),
    created_by: createdBy,
    last_used_at: lastUsedAtMs === null ? null : formatIsoTimeFromMs(lastUsedAtMs),
    revoked_at: revokedAtMs === null ? null : formatIsoTimeFromMs(revokedAtMs),
  };
}
