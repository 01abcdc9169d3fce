/**
 * The audit event types: one for each success or failure of authentication, and for each change of a user, factor, device, group, key or
 * setting. The code that makes a change writes the event in the same transaction.
 */
export const EVENT_TYPES = {
  'login.succeeded': 'A user signed in',
  'login.failed': 'An answer to a login challenge was refused',
  'login.ended': 'One login ended, for example by a logout',
  'login.all_ended': 'All logins of a user ended',
  'login.reuse_detected': 'A used refresh token was sent again, and its login ended',
  'user.locked': 'Guesses for a user are refused for a while',
  'user.created': 'An administrator created a user',
  'user.signed_up': 'A user signed up',
  'user.confirmed': 'A sign-up was confirmed',
  'user.imported': 'A user was imported',
  'user.migrated': 'A user of an older system was migrated at the first login',
  'user.updated': 'User attributes changed',
  'user.contact_verified': 'A user verified an email address or a phone number',
  'user.disabled': 'A user was disabled',
  'user.enabled': 'A user was enabled',
  'user.deletion_scheduled': 'A user asked for the deletion of the account, which is disabled until then',
  'user.deletion_canceled': 'A user signed in and kept an account that was to be deleted',
  'user.deleted': 'A user was deleted',
  'user.exported': 'A user exported their data',
  'user.disowned': 'The owner of an account reported "this was not me"',
  'password.changed': 'The password of a user changed',
  'password.reset_requested': 'A password reset code was requested, or an administrator started a reset',
  'password.reset': 'A user set a new password with a code',
  'factor.added': 'A second factor or passkey was added or replaced',
  'factor.removed': 'A second factor or passkey was removed',
  'factor.preference_changed': 'The second factors that a user must use changed',
  'factor.recovery_codes_made': 'New recovery codes were created',
  'factor.recovery_code_used': 'A recovery code was used instead of a second factor',
  'factor.maybe_copied': 'A passkey may have been copied, because its signature counter did not increase',
  'device.registered': 'A device was registered',
  'device.updated': 'A device was renamed, trusted or no longer trusted',
  'device.forgotten': 'A device was removed',
  'group.created': 'A group was created',
  'group.updated': 'A group was changed',
  'group.deleted': 'A group was deleted',
  'group.user_added': 'A user was added to a group',
  'group.user_removed': 'A user was removed from a group',
  'client.refused': 'Client authentication failed at an OAuth endpoint',
  'admin.refused': 'An admin key was refused, or a user who is not an operator called an operator route',
  'admin_key.created': 'An admin key was created',
  'admin_key.rotated': 'An admin key was rotated',
  'admin_key.revoked': 'An admin key was revoked',
  'console.opened': 'A console session was opened with an admin key',
  'console.closed': 'An administrator signed out of the console',
  'store.restored': 'A snapshot replaced everything in the store',
  'store.reset': 'Everything in the store was deleted',
  'webhook.created': 'A webhook was created',
  'webhook.deleted': 'A webhook was deleted',
  'webhook.tested': 'An administrator sent a test event to a webhook',
  'messages.daily_limit_near': 'A part of the daily message limit is nearly or completely used up',
  'pool.updated': 'Settings, app clients or signing keys of a pool changed',
  'provider.called': 'A provider that records no events was called to change something',
} as const;

/** One of {@link EVENT_TYPES}. */
export type EventType = keyof typeof EVENT_TYPES;

/** Who caused an event. `operator`: the command line. `anonymous`: an unauthenticated caller. */
export interface Actor {
  readonly kind: 'user' | 'admin' | 'operator' | 'anonymous' | 'system';
  /** The `sub` of a user or the id of an admin key; null for others. */
  readonly id: string | null;
}

/** An event. It contains no secrets and no user input. */
export interface AuditEvent {
  /** A UUID version 7 (RFC 9562 §5.7): later events have greater ids. */
  readonly id: string;
  readonly atMs: number;
  readonly type: EventType;
  /** `intent`: written before a call. The call's outcome is a separate event. */
  readonly outcome: 'success' | 'failure' | 'intent';
  readonly userPoolId: string;
  readonly clientId: string | null;
  readonly actor: Actor;
  /** The affected user; null if there is none, or the user does not exist. */
  readonly user: { readonly sub: string; readonly username: string } | null;
  /** The id of the request that caused it. */
  readonly requestId: string;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
  /** Details such as `{ reason: 'wrong_code', challenge: 'SMS_MFA' }`. Names and code words only. */
  readonly details: Readonly<Record<string, string>>;
  /**
   * How many failures within an hour this event counts. Failures for usernames that do not exist are counted instead of stored one by
   * one; request and address are those of the last one. Absent for a single event.
   */
  readonly count?: number;
}
