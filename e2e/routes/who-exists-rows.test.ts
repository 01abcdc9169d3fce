import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PERSISTENT_LOCATIONS, storedRows } from '@poolgate/store/testing';
import {
  PUBLIC_OPERATION_REQUESTS,
  PUBLIC_ROUTE_REQUESTS,
  type PublicRequest,
} from '../support/requests/public-requests.ts';
import { ORIGIN, RP_ID } from '../support/routes/route-passkeys.ts';
import { addUser, inviteUser, startTestService, type TestService } from '../support/services/test-service.ts';

const HOUR_MS = 3_600_000;
const FIRST_FACTORS = ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'] as const;
const KNOWN = 'known@example.com';
const INVITED = 'invited@example.com';
const UNKNOWN = 'unknown@example.com';

/** What is not there for nobody: a code is kept as a count, and an event names no user. None of that is in an index. */
const TABLES: ReadonlyMap<string, string> = new Map([['codes', 'lockouts']]);
const OF_USERS: readonly string[] = ['actor_id', 'username'];

/** A row by its table and, in the audit log, by the values that it has: each of them may be in an index. */
function kindOf(table: string, row: string): string {
  const name = TABLES.get(table) ?? table;
  if (name !== 'events') return name;
  const cells = JSON.parse(row) as readonly (readonly [string, string])[];
  const filled = cells.filter(([column, value]) => value !== '' && !OF_USERS.includes(column));
  return `${name}: ${filled.map(([column]) => column).join(' ')}`;
}

for (const [place, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`what is written about a name on ${place}`, () => {
    it('A11: is as many rows of each table, as full, whoever has the name', async (context) => {
      const { url: databaseUrl, remove } = await makePlace();
      context.after(remove);
      const service = await startTestService({
        databaseUrl,
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
        const wanted = await written(service, databaseUrl, act, UNKNOWN);
        for (const name of [KNOWN, INVITED]) {
          assert.deepEqual(
            await written(service, databaseUrl, act, name),
            wanted,
            `${act.target} ${act.variant} of ${name}`,
          );
        }
      }
    });
  });
}

/** The kinds of the rows that are new or changed. */
async function written(
  service: TestService,
  databaseUrl: string,
  { ask }: PublicRequest,
  name: string,
): Promise<readonly string[]> {
  // One source may cause two messages in an hour.
  service.clock.advance(2 * HOUR_MS);
  const before = new Set([...(await storedRows(databaseUrl)).values()].flat());
  await ask(service, name);
  const after = [...(await storedRows(databaseUrl))];
  return after
    .flatMap(([table, rows]) => rows.filter((row) => !before.has(row)).map((row) => kindOf(table, row)))
    .toSorted();
}
