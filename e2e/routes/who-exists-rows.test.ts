import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Timer } from '@poolgate/pool';
import { logStatements, PERSISTENT_LOCATIONS, readStoredRows, type StatementLog } from '@poolgate/store/testing';
import {
  PUBLIC_OPERATION_REQUESTS,
  PUBLIC_ROUTE_REQUESTS,
  type PublicRequest,
} from '../support/requests/public-requests.ts';
import { ORIGIN, RP_ID } from '../support/routes/route-passkeys.ts';
import { addUser, inviteUser, startTestService, type TestService } from '../support/services/test-service.ts';

const DAY_MS = 24 * 3_600_000;
const FIRST_FACTORS = ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'] as const;
const KNOWN = 'known@example.com';
const INVITED = 'invited@example.com';
/** Sorts after the names of all users, so a read for the next name finds none. */
const UNKNOWN = 'zz@example.com';

/** The statements of a background task would mix with those of a request. */
const WITHOUT_BACKGROUND_WORK: Timer = { after: () => () => {} };

/** Written only for existing users: a code is a counter for others, and an event names no user. No index contains these columns. */
const TABLES: ReadonlyMap<string, string> = new Map([['codes', 'lockouts']]);
const OF_USERS: readonly string[] = ['actor_id', 'username'];

/** A row by its table and, in the audit log, by its values, each of which may be in an index. */
function kindOf(table: string, row: string): string {
  const name = TABLES.get(table) ?? table;
  if (name !== 'events') return name;
  const cells = JSON.parse(row) as readonly (readonly [string, string])[];
  const filled = cells.filter(([column, value]) => value !== '' && !OF_USERS.includes(column));
  return `${name}: ${filled.map(([column]) => column).join(' ')}`;
}

for (const [place, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`writes for a name on ${place}`, () => {
    it('have the same rows, values, statements and round trips, whether the name exists or not', async (context) => {
      const { url: databaseUrl, remove } = await makePlace();
      context.after(remove);
      const log = databaseUrl.startsWith('postgres:') ? await logStatements(databaseUrl) : undefined;
      context.after(() => log?.close());
      const service = await startTestService({
        databaseUrl: log?.url ?? databaseUrl,
        timer: WITHOUT_BACKGROUND_WORK,
        rpId: RP_ID,
        origins: [ORIGIN],
        firstFactors: FIRST_FACTORS,
      });
      context.after(() => service.close());
      await addUser(service, KNOWN);
      await inviteUser(service, INVITED);
      const acts = [...PUBLIC_ROUTE_REQUESTS, ...PUBLIC_OPERATION_REQUESTS].filter(
        ({ takesAddressOnly }) => !takesAddressOnly,
      );
      for (const act of acts) {
        const wanted = await written({ service, databaseUrl, log }, act, UNKNOWN);
        for (const name of [KNOWN, INVITED]) {
          assert.deepEqual(
            await written({ service, databaseUrl, log }, act, name),
            wanted,
            `${act.target} ${act.variant} of ${name}`,
          );
        }
      }
    });
  });
}

/** Only the server that writes the decoy counts the rows of the second part. The stored rows show that each part writes one. */
const CODE_OR_DECOY = /(?<=^with written as \(insert into "codes" .*) -> INSERT 0 [01]$/;

interface Observed {
  readonly service: TestService;
  readonly databaseUrl: string;
  /** Undefined for SQLite. */
  readonly log: StatementLog | undefined;
}

/** The round trips of a request with their statements and numbers of rows, and the kinds of new or changed rows. */
async function written(
  { service, databaseUrl, log }: Observed,
  { ask }: PublicRequest,
  name: string,
): Promise<readonly string[]> {
  // Each request is the first of its day, because a limit used up by an earlier request would change what the next one reads.
  service.clock.advance(DAY_MS);
  const before = new Set([...(await readStoredRows(databaseUrl)).values()].flat());
  log?.take();
  await ask(service, name);
  const trips = (log?.take() ?? []).map((trip) => trip.map((each) => each.replace(CODE_OR_DECOY, '')).join('; '));
  const after = [...(await readStoredRows(databaseUrl))];
  const kinds = after.flatMap(([table, rows]) =>
    rows.filter((row) => !before.has(row)).map((row) => kindOf(table, row)),
  );
  return [...trips, ...kinds.toSorted()];
}
