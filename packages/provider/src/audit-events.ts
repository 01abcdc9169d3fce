/**
 * The audit event types: one for each success or failure of authentication, and for each change of a user, factor, device, group, key or
 * setting. The code that makes a change writes the event in the same transaction.
 */
export const EVENT_TYPES = {
  'login.succeeded': 'Somebody logged in',
  'login.failed': 'An answer to a challenge of a login was refused',
  'login.ended': 'One login was ended: a logout, or a session that its user ended',
  'login.all_ended': 'Every login of a user was ended',
  'login.reuse_detected': 'A refresh token that was used before came again, and its login was ended',
  'user.locked': 'Guesses at a user are refused for a while',
  'user.created': 'An administrator made a user',
  'user.signed_up': 'Somebody signed up',
  'user.confirmed': 'A sign-up was confirmed',
  'user.imported': 'A user was imported',
  'user.migrated': 'A user of an older system was taken over at the first login',
  'user.updated': 'Attributes of a user were changed',
  'user.contact_verified': 'A user proved an e-mail address or a telephone number',
  'user.disabled': 'A user was disabled',
  'user.enabled': 'A user was enabled',
  'user.deleted': 'A user was deleted',
  'user.disowned': 'The owner of an account said "this was not me"',
  'password.changed': 'A user has another password',
  'password.reset_requested': 'A code to reset a password was asked for, or a reset was ordered',
  'password.reset': 'A user set a new password by a code',
  'factor.added': 'A second factor or a passkey was added, or replaced',
  'factor.removed': 'A second factor or a passkey was removed',
  'factor.preference_changed': 'Which second factors a user is asked for was changed',
  'factor.recovery_codes_made': 'New recovery codes were made',
  'factor.recovery_code_used': 'A recovery code stood in for a second factor',
  'factor.maybe_copied': 'A passkey answered whose signature counter did not grow: there may be a copy of it',
  'device.registered': 'A device was registered',
  'device.updated': 'A device was renamed, remembered or not remembered',
  'device.forgotten': 'A device was removed',
  'group.created': 'A group was made',
  'group.updated': 'A group was changed',
  'group.deleted': 'A group was deleted',
  'group.user_added': 'A user was put into a group',
  'group.user_removed': 'A user was taken out of a group',
  'client.refused': 'An app client brought a wrong secret to the OAuth endpoints, or there is no such client',
  'admin.refused': 'An admin key was refused, or somebody who is no operator on a route for operators',
  'admin_key.created': 'An admin key was made',
  'admin_key.rotated': 'An admin key got a successor',
  'admin_key.revoked': 'An admin key was revoked',
  'webhook.created': 'A webhook was made',
  'webhook.deleted': 'A webhook was deleted',
  'webhook.tested': 'An administrator had a test event posted to a webhook',
  'messages.daily_limit_near': 'A part of the daily messages is nearly or completely used',
  'pool.updated': 'Settings, clients or signing keys of a pool were changed',
  'provider.called': 'A provider that keeps no events of its own was told to change something',
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
   * How many failures within an hour this event stands for. Failures for usernames that do not exist are counted instead of stored one by
   * one; request and address are those of the last one. Absent for a single event.
   */
  readonly count?: number;
}
