import { heldToBeginWith } from '../domain/first-factors.ts';
import { randomText } from '../domain/identifiers.ts';
import { CENSUS_EVERY_MS, censusOf, holdingsName, withCensus } from '../domain/invented-factors.ts';
import { usablePasskeys } from '../domain/passkeys.ts';
import { isTotpActive } from '../domain/totp.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** So many users are looked at, a few next to each other in each of so many places. */
const PLACES = 16;
const USERS_A_PLACE = 16;

const POOLS_A_PAGE = 50;

/** How often an instance looks whether it is time. */
const LOOK_EVERY_MS = 3_600_000;

/** Digits of user names where they are UUIDs, and where users choose them. */
const HEX = '0123456789abcdef';
const ANY = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Takes the census of every pool for which it is time, now and then every hour. What fails is tried again then. Gives what ends it, once nothing of it is under way. */
export function startCensuses(context: PoolRuntime): () => Promise<void> {
  let callOff = (): void => {};
  let looking = Promise.resolve();
  const look = (): void => {
    looking = takeCensuses(context).catch(() => {});
    callOff = context.timer.after(LOOK_EVERY_MS, look);
  };
  look();
  return () => {
    callOff();
    return looking;
  };
}

/** Takes the census of every pool for which it is time: what users of it can log in with, so that invented ones look alike. */
async function takeCensuses(context: PoolRuntime): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await context.store.pools(POOLS_A_PAGE, cursor);
    for (const pool of page.rows) if (isTime(context, pool)) await takeCensus(context, pool);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function isTime({ clock }: PoolRuntime, { settings: { factorCensuses = [] } }: PoolRecord): boolean {
  const last = factorCensuses.at(-1);
  return last === undefined || last.takenAtMs + CENSUS_EVERY_MS <= clock.now();
}

async function takeCensus(context: PoolRuntime, pool: PoolRecord): Promise<void> {
  const users = await sampleOf(context, pool);
  const holdings: string[] = [];
  for (const { username } of users) holdings.push(await holdingsOf(context, pool, username));
  const census = censusOf(holdings, context.clock.now());
  if (census === undefined) return;
  await context.store.write(async (transaction) => {
    const now = await transaction.pool(pool.id);
    // Another replica may have been first.
    if (now === undefined || !isTime(context, now)) return;
    const factorCensuses = withCensus(now.settings.factorCensuses ?? [], census);
    await transaction.updatePool(pool.id, {
      settings: { ...now.settings, factorCensuses },
      modifiedAtMs: now.modifiedAtMs,
    });
  });
  context.recent.pools.forget(pool.id);
}

/** A census costs as much in a large pool as in a small one. */
async function sampleOf(context: PoolRuntime, pool: PoolRecord): Promise<readonly UserRecord[]> {
  const digits = pool.settings.usernameAttributes.length > 0 ? HEX : ANY;
  const users = new Map<string, UserRecord>();
  for (let place = 0; place < PLACES; place += 1) {
    const from = place === 0 ? undefined : randomText(context.random, digits, 4);
    const { rows } = await context.store.users(pool.id, USERS_A_PLACE, from);
    for (const user of rows) users.set(user.username, user);
  }
  return [...users.values()];
}

async function holdingsOf({ store }: PoolRuntime, pool: PoolRecord, username: string): Promise<string> {
  const found = await store.userByName(pool.id, username);
  if (found === undefined) return '';
  const totp = await store.totp(pool.id, username, 'active');
  const passkeys = await usablePasskeys(store, pool, username);
  return holdingsName(
    heldToBeginWith(pool, found, { hasActiveTotp: isTotpActive(totp), hasPasskeys: passkeys.length > 0 }),
  );
}
