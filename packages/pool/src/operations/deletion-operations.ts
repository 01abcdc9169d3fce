import { ProviderError, type ProviderExtensions } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import { queueDeletionNotice } from '../delivery/notices.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, StorePort, TimerPort } from '../kernel/ports.ts';
import { type ReportBackgroundFailure, repeatEvery } from '../kernel/repeat-every.ts';
import { lockUserFactors } from '../proofs/totp/totp-enrolment.ts';
import type { DueDeletion } from '../store/user-repository.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { deleteUserAndLogins, revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { DeletionPort, OwnAccountPorts } from './account-ports.ts';
import { canSignInLocally } from './local-sign-in.ts';
import type { ExtensionTable } from './operation-table.ts';

const DAY_MS = 86_400_000;

const DEFAULT_DAYS = 14;

/** What users can do with their account beyond the Cognito API. */
export const deletionExtensions: ExtensionTable<'schedule_deletion'> = {
  schedule_deletion: (ports, input) => scheduleDeletion(ports, input.AccessToken),
};

async function scheduleDeletion(
  ports: OwnAccountPorts & DeletionPort,
  accessToken: string,
): Promise<Awaited<ReturnType<ProviderExtensions['schedule_deletion']>>> {
  const access = await requireAccessToken(ports, accessToken);
  const { pool, client, user } = access;
  const nowMs = ports.clock.now();
  const deletionAtMs = nowMs + (ports.deletionDays ?? DEFAULT_DAYS) * DAY_MS;
  await ports.store.write(async (transaction) => {
    const current = await lockAuthorizedUser(transaction, access);
    if (!(await canSignInLocally(ports, transaction, pool, current))) throw noLocalSignInError();
    await transaction.users.update(pool.id, user.username, { deletionAtMs, modifiedAtMs: nowMs });
    await revokeLoginsOfUser(transaction, user, nowMs);
    await recordEvent(ports, transaction, { type: 'user.deletion_scheduled', pool, clientId: client.id, user });
    await queueDeletionNotice(ports, transaction, pool, current.user, deletionAtMs);
  });
  await deliverAfterCommit(ports);
  return { DeletionAt: deletionAtMs / 1000 };
}

/** A user who cannot sign in at the pool itself could not keep the account. */
function noLocalSignInError(): ProviderError {
  const message =
    'The account can only be deleted immediately, because its user signs in only through another provider.';
  return new ProviderError('InvalidParameterException', message, { reason: 'feature_disabled' });
}

const AT_ONCE = 50;

const CHECK_INTERVAL_MS = 600_000;

type DeletionPorts = ClockPort & EventPorts & StorePort;

/**
 * Deletes due users now and again every ten minutes. Failures are reported and retried in the next run. Returns a function that stops it.
 */
export function startDueDeletions(
  ports: DeletionPorts & TimerPort,
  report: ReportBackgroundFailure,
): () => Promise<void> {
  const run = () => deleteDueUsers(ports, report);
  return repeatEvery(ports.timer, { name: 'due_deletions', intervalMs: CHECK_INTERVAL_MS, run }, report);
}

/** Deletes the users whose grace period is over. If one user cannot be deleted, the others still are. */
async function deleteDueUsers(ports: DeletionPorts, report: ReportBackgroundFailure): Promise<void> {
  const nowMs = ports.clock.now();
  let page: readonly DueDeletion[] = [];
  do {
    page = await ports.store.users.listDueDeletions(nowMs, AT_ONCE, page.at(-1));
    for (const due of page) {
      try {
        await deleteDueUser(ports, due);
      } catch (error) {
        report({ task: 'due_deletions', userPoolId: due.poolId, sub: due.sub, error });
      }
    }
  } while (page.length === AT_ONCE);
}

/** Checks again in the write, because the user may just have kept the account or another replica may have deleted it. */
async function deleteDueUser(ports: DeletionPorts, { poolId, username }: DueDeletion): Promise<void> {
  const nowMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    const pool = await transaction.pools.byId(poolId);
    if (pool === undefined) return;
    await lockUserFactors(transaction, pool, username, nowMs);
    const found = await transaction.users.lockByName(poolId, username);
    if (found?.user.username !== username) return;
    const { user } = found;
    if (user.deletionAtMs === null || user.deletionAtMs > nowMs) return;
    if (!(await deleteUserAndLogins(transaction, user, nowMs))) return;
    await recordEvent(ports, transaction, { type: 'user.deleted', pool, user });
  });
}
