import assert from 'node:assert/strict';
import type { Arbitrary } from 'fast-check';
import type { Run } from '../run.ts';
import type { Grant } from '../state.ts';

/** Something that a person does: a kind of request, and its arguments. */
export interface ActRow<Args> {
  /** The possible arguments. */
  readonly args: Arbitrary<Args>;
  /** How often it is drawn, relative to others. */
  readonly weight: number;
  /** Does it and compares the response with the model. Does nothing if it has no target. */
  perform(run: Run, args: Args): Promise<void>;
}

/** Declares a row, so that its arguments are inferred. */
export function act<Args>(row: ActRow<Args>): ActRow<Args> {
  return row;
}

/** Returns an item of a list, for any number. */
export function pick<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % Math.max(1, items.length)];
}

const HOUR_MS = 3_600_000;
const FRESH_MS = 900_000;

/** Valid tokens of the user's current password. */
export function pickGrant(run: Run, number: number): Grant | undefined {
  const living = run.grants.filter(
    ({ user, passwordVersion, isRevoked, authenticatedAtMs }) =>
      !isRevoked && passwordVersion === user.passwordVersion && run.nowMs < authenticatedAtMs + HOUR_MS,
  );
  return pick(living.slice(-4), number);
}

/** Whether a login is recent enough to change credentials. */
export function isFresh(run: Run, { authenticatedAtMs }: Grant): boolean {
  return run.nowMs - authenticatedAtMs <= FRESH_MS;
}

/** The headers of a request with tokens. */
export function bearer({ access }: Grant): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${access}` };
}

/** Ends logins: they can no longer be refreshed. */
export async function revokeGrants(run: Run, isMeant: (grant: Grant) => boolean, since: string): Promise<void> {
  for (const grant of run.grants.filter((one) => !one.isRevoked && isMeant(one))) {
    grant.isRevoked = true;
    const names = grant.device === undefined ? {} : { device_key: grant.device.key };
    const answer = await run.modelled.service.post('/token/refresh', { refresh_token: grant.refresh, ...names });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_grant'], `refreshed after ${since}`);
  }
}

/** The other logins of a user who has changed credentials. */
export function revokeOtherGrants(run: Run, own: Grant): Promise<void> {
  return revokeGrants(run, (one) => one !== own && one.user === own.user, 'a factor was changed');
}
