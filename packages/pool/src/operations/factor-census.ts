import { generateRandomText } from '../kernel/identifiers.ts';
import type { ClockPort, RandomPort, StoreReads, StoreWrites, TimerPort } from '../kernel/ports.ts';
import { type ReportBackgroundFailure, repeatEvery } from '../kernel/repeat-every.ts';
import { lockSettings } from '../kernel/write-locks.ts';
import { addFactorCensus, CENSUS_INTERVAL_MS, computeFactorCensus, formatFactorSet } from '../proofs/decoy-factors.ts';
import { listUsableFirstFactors } from '../proofs/first-factors.ts';
import { listUsablePasskeys } from '../proofs/passkeys/passkey-options.ts';
import { isTotpActive } from '../proofs/totp/totp.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** The sample takes a few adjacent users at each of this many points. */
const SAMPLE_POINTS = 16;
const USERS_PER_POINT = 16;

const POOLS_PER_PAGE = 50;

/** How often an instance checks whether a census is due. */
const CHECK_INTERVAL_MS = 600_000;

/** The digits of usernames that are UUIDs, and of those that users choose. */
const HEX = '0123456789abcdef';
const ANY_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Takes the census of every pool for which it is due, now and then every ten minutes. Failures are reported and retried then.
 * Returns a function that stops it once nothing is running.
 */
export function startFactorCensuses(
  ports: ClockPort &
    RandomPort &
    TimerPort &
    SettingsCachePort &
    StoreReads<'authenticators' | 'passkeys' | 'pools' | 'users'> &
    StoreWrites<'locks' | 'pools'>,
  report: ReportBackgroundFailure,
): () => Promise<void> {
  const run = () => takeFactorCensuses(ports, report);
  return repeatEvery(ports.timer, { name: 'factor_censuses', intervalMs: CHECK_INTERVAL_MS, run }, report);
}

/** Takes the census of every pool for which it is due: which login factors its users have, so that decoys look alike. */
async function takeFactorCensuses(
  ports: ClockPort &
    RandomPort &
    SettingsCachePort &
    StoreReads<'authenticators' | 'passkeys' | 'pools' | 'users'> &
    StoreWrites<'locks' | 'pools'>,
  report: ReportBackgroundFailure,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await ports.store.pools.list(POOLS_PER_PAGE, cursor);
    for (const pool of page.rows) {
      if (!isCensusDue(ports, pool)) continue;
      try {
        await takeFactorCensus(ports, pool);
      } catch (error) {
        report({ task: 'factor_censuses', userPoolId: pool.id, error });
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function isCensusDue({ clock }: ClockPort, { settings: { factorCensuses = [] } }: PoolRecord): boolean {
  const last = factorCensuses.at(-1);
  return last === undefined || last.takenAtMs + CENSUS_INTERVAL_MS <= clock.now();
}

async function takeFactorCensus(
  ports: ClockPort &
    RandomPort &
    SettingsCachePort &
    StoreReads<'authenticators' | 'passkeys' | 'users'> &
    StoreWrites<'locks' | 'pools'>,
  pool: PoolRecord,
): Promise<void> {
  const users = await sampleUsers(ports, pool);
  const factorSets: string[] = [];
  for (const { username } of users) factorSets.push(await readEnrolledFactors(ports, pool, username));
  const census = computeFactorCensus(factorSets, ports.clock.now(), pool.settings.factorCensuses?.at(-1));
  if (census === undefined) return;
  await ports.store.write(async (transaction) => {
    // All settings are written back, which would overwrite a concurrent change.
    await lockSettings(transaction, ports.clock.now());
    const now = await transaction.pools.byId(pool.id);
    // Another replica may have been faster.
    if (now === undefined || !isCensusDue(ports, now)) return;
    const factorCensuses = addFactorCensus(now.settings.factorCensuses ?? [], census);
    await transaction.pools.update(pool.id, {
      settings: { ...now.settings, factorCensuses },
      modifiedAtMs: now.modifiedAtMs,
    });
  });
  ports.settingsCache.pools.delete(pool.id);
}

/** A census costs the same in large and small pools. */
async function sampleUsers(ports: RandomPort & StoreReads<'users'>, pool: PoolRecord): Promise<readonly UserRecord[]> {
  const digits = pool.settings.usernameAttributes.length > 0 ? HEX : ANY_CHARACTERS;
  const users = new Map<string, UserRecord>();
  for (let point = 0; point < SAMPLE_POINTS; point += 1) {
    const from = point === 0 ? undefined : generateRandomText(ports.random, digits, 4);
    const { rows } = await ports.store.users.list(pool.id, USERS_PER_POINT, from);
    for (const user of rows) users.set(user.username, user);
    // A small pool has no more users.
    if (point === 0 && rows.length < USERS_PER_POINT) break;
  }
  return [...users.values()];
}

async function readEnrolledFactors(
  { store }: StoreReads<'authenticators' | 'passkeys' | 'users'>,
  pool: PoolRecord,
  username: string,
): Promise<string> {
  const found = await store.users.byName(pool.id, username);
  if (found === undefined) return '';
  const totp = await store.authenticators.byState(pool.id, username, 'active');
  const passkeys = await listUsablePasskeys(store, pool, username);
  return formatFactorSet(
    listUsableFirstFactors(pool, found, { hasActiveTotp: isTotpActive(totp), hasPasskeys: passkeys.length > 0 }),
  );
}
