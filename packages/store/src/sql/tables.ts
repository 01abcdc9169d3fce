import type { ColumnType } from 'kysely';

/** A truth value: PostgreSQL keeps a boolean, SQLite 0 or 1. */
type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;

/** The tables and their columns. Times are milliseconds since the epoch; `settings`, `attributes`, `mfa_methods`, `scopes`, `transports`, `details`, `event`, `events`, `authorization` and `secrets_sealed` are JSON text. */
export interface Tables {
  pools: {
    id: string;
    name: string;
    region: string;
    settings: string;
    secret_sealed: string;
    created_at_ms: number;
    modified_at_ms: number;
  };
  clients: {
    pool_id: string;
    id: string;
    name: string;
    settings: string;
    secrets_sealed: string;
    created_at_ms: number;
    modified_at_ms: number;
  };
  domains: { name: string; pool_id: string; settings: string; created_at_ms: number; modified_at_ms: number };
  resource_servers: {
    pool_id: string;
    identifier: string;
    name: string;
    scopes: string;
    created_at_ms: number;
    modified_at_ms: number;
  };
  authorization_codes: {
    digest_hex: string;
    pool_id: string;
    client_id: string;
    username: string;
    session_login_id: string;
    authorization: string;
    token_login_id: string | null;
    used_at_ms: number | null;
    expires_at_ms: number;
    created_at_ms: number;
  };
  users: {
    pool_id: string;
    username: string;
    sub: string;
    status: string;
    enabled: Flag;
    attributes: string;
    mfa_methods: string;
    preferred_mfa: string | null;
    created_at_ms: number;
    modified_at_ms: number;
  };
  registrations: {
    pool_id: string;
    username: string;
    name: string;
    is_aside: Flag;
    is_contested: Flag;
    created_at_ms: number;
    expires_at_ms: number;
  };
  names: { pool_id: string; name: string; username: string };
  /** One row for each user and attribute that users can be searched by and that is no column of `users`. */
  user_search: { pool_id: string; attribute: string; value: string; username: string };
  groups: {
    pool_id: string;
    name: string;
    description: string | null;
    precedence: number | null;
    role_arn: string | null;
    created_at_ms: number;
    modified_at_ms: number;
  };
  memberships: { pool_id: string; username: string; group_name: string; created_at_ms: number };
  not_me_links: { pool_id: string; username: string; digest_hex: string; expires_at_ms: number };
  credentials: {
    pool_id: string;
    username: string;
    salt_hex: string;
    verifier_sealed: string;
    temporary_until_ms: number | null;
    set_at_ms: number;
    version: string | null;
  };
  sessions: { id: string; tries: number; spent: Flag; expires_at_ms: number };
  codes: {
    pool_id: string;
    username: string;
    purpose: string;
    digest_hex: string;
    channel: string;
    destination: string;
    expires_at_ms: number;
    created_at_ms: number;
  };
  logins: {
    id: string;
    pool_id: string;
    client_id: string;
    username: string;
    auth_time_seconds: number;
    refresh_expires_at_ms: number;
    generation: number;
    rotated_at_ms: number | null;
    revoked_at_ms: number | null;
    device_key: string | null;
    source_address: string | null;
    scope: string | null;
    audience: string | null;
    created_at_ms: number;
  };
  devices: {
    pool_id: string;
    username: string;
    device_key: string;
    group_key: string;
    name: string | null;
    salt_hex: string;
    verifier_sealed: string;
    remembered: Flag;
    last_ip: string | null;
    created_at_ms: number;
    modified_at_ms: number;
    last_authenticated_at_ms: number;
  };
  totp_factors: {
    pool_id: string;
    username: string;
    state: string;
    secret_sealed: string;
    name: string;
    last_step: number;
    created_at_ms: number;
  };
  recovery_codes: { pool_id: string; username: string; digest_hex: string; created_at_ms: number };
  passkeys: {
    pool_id: string;
    credential_id: string;
    username: string;
    public_key: string;
    counter: number;
    transports: string;
    attachment: string | null;
    aaguid: string;
    name: string;
    relying_party_id: string;
    is_backup_eligible: Flag;
    is_backed_up: Flag;
    created_at_ms: number;
    last_used_at_ms: number | null;
  };
  passkey_ceremonies: {
    pool_id: string;
    username: string;
    client_id: string;
    challenge_digest_hex: string;
    expires_at_ms: number;
  };
  messages: {
    id: string;
    pool_id: string;
    channel: string;
    sealed: string;
    tries: number;
    next_try_at_ms: number;
    leased_until_ms: number;
    handed_over: Flag;
    expires_at_ms: number;
    dead_at_ms: number | null;
    last_failure: string | null;
    created_at_ms: number;
  };
  signing_keys: {
    pool_id: string;
    kid: string;
    purpose: string;
    n: string;
    e: string;
    private_sealed: string;
    created_at_ms: number;
    retired_at_ms: number | null;
  };
  allowances: { pool_id: string; subject: string; taken: number; expires_at_ms: number };
  locks: { name: string; expires_at_ms: number };
  rates: { name: string; whole_at_ms: number };
  replicas: { id: string; name: string; key_ids: string; seen_at_ms: number };
  lockouts: {
    pool_id: string;
    subject: string;
    failures: number;
    last_failure_at_ms: number;
    locked_until_ms: number;
    expires_at_ms: number;
  };
  events: {
    id: string;
    user_pool_id: string;
    at_ms: number;
    type: string;
    outcome: string;
    client_id: string | null;
    actor_kind: string;
    actor_id: string | null;
    sub: string | null;
    username: string | null;
    request_id: string;
    source_address: string;
    details: string;
    expires_at_ms: number;
    retention: string | null;
    count: number | null;
  };
  webhooks: {
    id: string;
    url: string;
    events: string;
    secret_sealed: string;
    description: string;
    created_at_ms: number;
  };
  deliveries: {
    webhook_id: string;
    event_id: string;
    event: string;
    tries: number;
    next_try_at_ms: number;
    leased_until_ms: number;
    dead_at_ms: number | null;
    last_failure: string | null;
    expires_at_ms: number;
    retention: string | null;
  };
  idempotency_keys: {
    digest_hex: string;
    request_digest_hex: string;
    answer_sealed: string | null;
    expires_at_ms: number;
  };
  local_users: {
    user_pool_id: string;
    sub: string;
    username: string;
    password_reset_required: Flag;
    is_webauthn_enabled: Flag;
    created_at_ms: number;
    updated_at_ms: number;
  };
  local_devices: {
    user_pool_id: string;
    sub: string;
    device_key: string;
    name: string | null;
    remembered: Flag | null;
    created_at_ms: number;
    updated_at_ms: number;
  };
  local_passkeys: {
    user_pool_id: string;
    sub: string;
    credential_id: string;
    name: string;
    updated_at_ms: number;
  };
  endings: { user_pool_id: string; subject: string; ended_at_ms: number; expires_at_ms: number };
  web_sessions: {
    id_digest_hex: string;
    family_id: string;
    user_pool_id: string;
    sub: string;
    origin_jti: string | null;
    content_sealed: string;
    stays_signed_in: Flag;
    created_at_ms: number;
    seen_at_ms: number;
    ends_at_ms: number;
    expires_at_ms: number;
    tokens_expire_at_ms: number;
    refreshed_at_ms: number;
    lease_id: string | null;
    lease_until_ms: number;
  };
  web_tickets: {
    digest_hex: string;
    family_id: string;
    origin: string;
    browser_digest_hex: string;
    return_to: string | null;
    expires_at_ms: number;
  };
  pending_srp: { digest_hex: string; sealed: string; expires_at_ms: number };
  admin_keys: {
    id: string;
    secret_digest_hex: string;
    signing_secret_sealed: string;
    scopes: string;
    label: string;
    created_at_ms: number;
    expires_at_ms: number;
    last_used_at_ms: number | null;
    revoked_at_ms: number | null;
  };
}
