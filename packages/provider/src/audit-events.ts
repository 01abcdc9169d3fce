/**
 * What can be reported: one event for each success or failure of authentication, and for each change of a user, a factor,
 * a device, a group, a key or a setting. Whoever makes the change writes the event in the same write.
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

/** Who did it. `operator`: the command line. `anonymous`: nobody was proven. */
export interface Actor {
  readonly kind: 'user' | 'admin' | 'operator' | 'anonymous' | 'system';
  /** The `sub` of a user, the id of an admin key; null for others. */
  readonly id: string | null;
}

/** One thing that happened. It holds no secret, and nothing that was typed. */
export interface AuditEvent {
  /** A UUID version 7 (RFC 9562 §5.7): later events have greater ids. */
  readonly id: string;
  readonly atMs: number;
  readonly type: EventType;
  /** `intent`: written before a call whose outcome is written after it. */
  readonly outcome: 'success' | 'failure' | 'intent';
  readonly userPoolId: string;
  readonly clientId: string | null;
  readonly actor: Actor;
  /** Whom it is about; null where that is nobody, or nobody who exists. */
  readonly user: { readonly sub: string; readonly username: string } | null;
  /** The id of the request that caused it. */
  readonly requestId: string;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
  /** Words that say more, e.g. `{ reason: 'wrong_code', challenge: 'SMS_MFA' }`. Names and code words only. */
  readonly details: Readonly<Record<string, string>>;
  /**
   * How many failures of an hour this stands for: those of names that nobody has are counted, not stored one by one. The
   * request and the address are then those of the last one. Absent: it is one thing that happened.
   */
  readonly count?: number;
}
