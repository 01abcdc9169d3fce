import type {
  AdminKeyRecord,
  ConsoleSessionRecord,
  IdempotencyRecord,
  LocalDeviceRecord,
  LocalPasskeyRecord,
  LocalUserRecord,
  PendingSrpRecord,
  WebhookRecord,
  WebSessionRecord,
  WebTicketRecord,
} from '@poolgate/gateway/records';
import type {
  AuthorizationCodeRecord,
  BrandingRecord,
  ClientRecord,
  ClientSessionRecord,
  CodeRecord,
  CredentialRecord,
  DeviceRecord,
  DomainRecord,
  FederatedIdentityRecord,
  GroupRecord,
  IdentityProviderRecord,
  LoginRecord,
  MessageRecord,
  NotMeLinkRecord,
  PasskeyCeremonyRecord,
  PasskeyRecord,
  PoolRecord,
  RegistrationRecord,
  ResourceServerRecord,
  SigningKeyRecord,
  StackResourceRecord,
  TotpRecord,
  UserRecord,
} from '@poolgate/pool/store';
import type { BooleanColumn, TableRow } from './table-row.ts';

/**
 * The tables and their columns, which follow from the fields of each record. Times are milliseconds since the epoch; `settings`,
 * `attributes`, `mfa_methods`, `scopes`, `transports`, `details`, `content`, `event`, `events`, `authorization` and `secrets_sealed` are JSON text.
 */
export interface Tables {
  pools: TableRow<PoolRecord>;
  clients: TableRow<ClientRecord>;
  domains: TableRow<DomainRecord>;
  resource_servers: TableRow<ResourceServerRecord>;
  identity_providers: TableRow<IdentityProviderRecord>;
  brandings: TableRow<BrandingRecord>;
  federated_identities: TableRow<FederatedIdentityRecord>;
  authorization_codes: TableRow<AuthorizationCodeRecord>;
  users: Omit<TableRow<UserRecord>, 'groups'>;
  registrations: TableRow<RegistrationRecord>;
  names: { pool_id: string; name: string; username: string };
  /** A row for each user and searchable attribute that is not a column of `users`. */
  user_search: { pool_id: string; attribute: string; value: string; username: string };
  groups: TableRow<GroupRecord>;
  memberships: { pool_id: string; username: string; group_name: string; created_at_ms: number };
  not_me_links: TableRow<NotMeLinkRecord>;
  credentials: TableRow<CredentialRecord>;
  sessions: { id: string; tries: number; spent: BooleanColumn; expires_at_ms: number };
  codes: TableRow<CodeRecord>;
  logins: TableRow<LoginRecord>;
  client_sessions: TableRow<ClientSessionRecord>;
  devices: Omit<TableRow<DeviceRecord>, 'key'> & { device_key: string };
  totp_factors: TableRow<TotpRecord>;
  recovery_codes: { pool_id: string; username: string; digest_hex: string; created_at_ms: number };
  passkeys: TableRow<PasskeyRecord>;
  passkey_ceremonies: TableRow<PasskeyCeremonyRecord>;
  messages: Omit<TableRow<MessageRecord>, 'content_sealed'> & { sealed: string };
  signing_keys: TableRow<SigningKeyRecord>;
  allowances: { pool_id: string; subject: string; taken: number; expires_at_ms: number };
  /** Infrastructure files by the name of their stack, and which apply may change it until when. */
  stacks: { name: string; lease_id: string; lease_until_ms: number };
  stack_resources: TableRow<StackResourceRecord>;
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
  webhooks: TableRow<WebhookRecord>;
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
  idempotency_keys: TableRow<IdempotencyRecord>;
  local_users: TableRow<LocalUserRecord>;
  local_devices: TableRow<LocalDeviceRecord>;
  local_passkeys: TableRow<LocalPasskeyRecord>;
  endings: { user_pool_id: string; subject: string; ended_at_ms: number; expires_at_ms: number };
  web_sessions: TableRow<WebSessionRecord> & { lease_id: string | null; lease_until_ms: number };
  web_tickets: TableRow<WebTicketRecord>;
  pending_srp: Omit<TableRow<PendingSrpRecord>, 'start_sealed'> & { sealed: string };
  admin_keys: TableRow<AdminKeyRecord>;
  console_sessions: TableRow<ConsoleSessionRecord>;
}
