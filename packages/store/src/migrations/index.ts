import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../database.ts';
import { foundation } from './0001-foundation.ts';
import { challenges } from './0002-challenges.ts';
import { passkeys } from './0003-passkeys.ts';
import { accounts } from './0004-accounts.ts';
import { registrations } from './0005-registrations.ts';
import { sessions } from './0007-sessions.ts';
import { eventRetention } from './0008-event-retention.ts';
import { locksAndAllowances } from './0010-locks-and-allowances.ts';
import { webSessions } from './0011-web-sessions.ts';
import { rates } from './0012-rates.ts';
import { passwordVersions } from './0013-password-versions.ts';
import { oauth } from './0014-oauth.ts';
import { noAuthorizationRequests } from './0017-no-authorization-requests.ts';
import { longRows } from './0018-long-rows.ts';
import { ticketTargets } from './0020-ticket-targets.ts';
import { replicas } from './0024-replicas.ts';

/** Changes the schema. Runs in one transaction with all that are pending. */
export type SchemaChange = (database: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

/**
 * Every schema change by its name, in the order of their names. One that was released is never edited:
 * databases that it made are out there, and `fixtures/` holds one of each.
 */
export const MIGRATIONS: Readonly<Record<string, SchemaChange>> = {
  '0001-foundation': foundation,
  '0002-challenges': challenges,
  '0003-passkeys': passkeys,
  '0004-accounts': accounts,
  '0005-registrations': registrations,
  '0007-sessions': sessions,
  '0008-event-retention': eventRetention,
  '0010-locks-and-allowances': locksAndAllowances,
  '0011-web-sessions': webSessions,
  '0012-rates': rates,
  '0013-password-versions': passwordVersions,
  '0014-oauth': oauth,
  '0017-no-authorization-requests': noAuthorizationRequests,
  '0018-long-rows': longRows,
  '0020-ticket-targets': ticketTargets,
  '0024-replicas': replicas,
};
