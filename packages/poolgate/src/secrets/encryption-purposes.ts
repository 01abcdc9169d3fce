import type { EncryptedColumn } from '@poolgate/store';

/** The purposes of each encrypted column. If there are several, one of them decrypts a value. */
export const ENCRYPTION_PURPOSES: Readonly<Record<EncryptedColumn, readonly string[]>> = {
  'pools.secret_sealed': ['pool-secret'],
  'clients.secrets_sealed': ['client-secret'],
  'identity_providers.secret_sealed': ['identity-provider-secret'],
  'signing_keys.private_sealed': ['signing-key'],
  'credentials.verifier_sealed': ['verifier'],
  'devices.verifier_sealed': ['device-verifier'],
  'totp_factors.secret_sealed': ['totp'],
  'messages.sealed': ['message'],
  'admin_keys.signing_secret_sealed': ['admin-key-signing-secret'],
  'webhooks.secret_sealed': ['webhook-secret'],
  'idempotency_keys.answer_sealed': ['idempotency-answer'],
  'idempotency_keys.request_digest_hex': ['idempotency-request'],
  'web_sessions.content_sealed': ['web-session'],
  'pending_srp.sealed': ['pending-srp', 'pending-device-srp', 'device-user-code', 'device-code', 'provider-response'],
};
