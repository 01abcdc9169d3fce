import type { LoginRecord } from '@poolgate/pool/store';

/** The columns of a {@link LoginRow}, in a query of `logins` and other tables. */
export const LOGIN_COLUMNS = [
  'logins.id as loginId',
  'logins.client_id as clientId',
  'logins.pool_id as loginPoolId',
  'logins.username as loginUsername',
  'logins.auth_time_seconds as authTimeSeconds',
  'logins.refresh_expires_at_ms as refreshExpiresAtMs',
  'logins.generation',
  'logins.rotated_at_ms as rotatedAtMs',
  'logins.revoked_at_ms as revokedAtMs',
  'logins.device_key as deviceKey',
  'logins.source_address as sourceAddress',
  'logins.user_agent as userAgent',
  'logins.scope',
  'logins.audience',
  'logins.session_id as sessionId',
  'logins.methods',
  'logins.level',
  'logins.acr',
  'logins.created_at_ms as loginCreatedAtMs',
] as const;

/** A login that was read together with other records. */
export type LoginRow = Omit<LoginRecord, 'id' | 'poolId' | 'username' | 'createdAtMs'> & {
  readonly loginId: string;
  readonly loginPoolId: string;
  readonly loginUsername: string;
  readonly loginCreatedAtMs: number;
};

/** Creates the record from a row with additional columns. */
export function toLogin(row: LoginRow): LoginRecord {
  return {
    id: row.loginId,
    poolId: row.loginPoolId,
    clientId: row.clientId,
    username: row.loginUsername,
    authTimeSeconds: row.authTimeSeconds,
    refreshExpiresAtMs: row.refreshExpiresAtMs,
    generation: row.generation,
    rotatedAtMs: row.rotatedAtMs,
    revokedAtMs: row.revokedAtMs,
    deviceKey: row.deviceKey,
    sourceAddress: row.sourceAddress,
    userAgent: row.userAgent,
    scope: row.scope,
    audience: row.audience,
    sessionId: row.sessionId,
    methods: row.methods,
    level: row.level,
    acr: row.acr,
    createdAtMs: row.loginCreatedAtMs,
  };
}
