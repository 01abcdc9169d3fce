// Written by tools/migration-list.ts.

import { migrateFoundation } from './0001-foundation.ts';
import { migrateChallenges } from './0002-challenges.ts';
import { migratePasskeys } from './0003-passkeys.ts';
import { migrateAccounts } from './0004-accounts.ts';
import { migrateRegistrations } from './0005-registrations.ts';
import { migrateSessions } from './0007-sessions.ts';
import { migrateEventRetention } from './0008-event-retention.ts';
import { migrateLocksAndAllowances } from './0010-locks-and-allowances.ts';
import { migrateWebSessions } from './0011-web-sessions.ts';
import { migrateRates } from './0012-rates.ts';
import { migratePasswordVersions } from './0013-password-versions.ts';
import { migrateOAuth } from './0014-oauth.ts';
import { removeAuthorizationRequests } from './0017-no-authorization-requests.ts';
import { migrateLongRows } from './0018-long-rows.ts';
import { migrateTicketTargets } from './0020-ticket-targets.ts';
import { migrateReplicas } from './0024-replicas.ts';
import { migrateSigningAlgorithms } from './0026-signing-algorithms.ts';
import { migrateClientSessions } from './0028-client-sessions.ts';
import { migrateFederation } from './0030-federation.ts';
import { migrateStacks } from './0031-stacks.ts';
import { migrateDeletions } from './0032-deletions.ts';
import { migrateConsoleSessions } from './0033-console-sessions.ts';
import { migrateAuthenticationLevels } from './0034-authentication-levels.ts';
import { migrateBrandings } from './0035-brandings.ts';
import { migrateLoginBrowsers } from './0036-login-browsers.ts';
import { migrateRuleLinks } from './0037-rule-links.ts';
import { migrateAdminKeyCreators } from './0038-admin-key-creators.ts';
import type { SchemaChange } from './schema-change.ts';

/**
 * Every schema change by its name, in the order of their names. One that was released is never edited:
 * databases that it made are out there, and `fixtures/` holds one of each.
 */
export const MIGRATIONS: Readonly<Record<string, SchemaChange>> = {
  '0001-foundation': migrateFoundation,
  '0002-challenges': migrateChallenges,
  '0003-passkeys': migratePasskeys,
  '0004-accounts': migrateAccounts,
  '0005-registrations': migrateRegistrations,
  '0007-sessions': migrateSessions,
  '0008-event-retention': migrateEventRetention,
  '0010-locks-and-allowances': migrateLocksAndAllowances,
  '0011-web-sessions': migrateWebSessions,
  '0012-rates': migrateRates,
  '0013-password-versions': migratePasswordVersions,
  '0014-oauth': migrateOAuth,
  '0017-no-authorization-requests': removeAuthorizationRequests,
  '0018-long-rows': migrateLongRows,
  '0020-ticket-targets': migrateTicketTargets,
  '0024-replicas': migrateReplicas,
  '0026-signing-algorithms': migrateSigningAlgorithms,
  '0028-client-sessions': migrateClientSessions,
  '0030-federation': migrateFederation,
  '0031-stacks': migrateStacks,
  '0032-deletions': migrateDeletions,
  '0033-console-sessions': migrateConsoleSessions,
  '0034-authentication-levels': migrateAuthenticationLevels,
  '0035-brandings': migrateBrandings,
  '0036-login-browsers': migrateLoginBrowsers,
  '0037-rule-links': migrateRuleLinks,
  '0038-admin-key-creators': migrateAdminKeyCreators,
};
