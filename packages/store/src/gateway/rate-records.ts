import type { RateRecords } from '@poolgate/gateway/records';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { requirePlaceholder } from '../sql/placeholder.ts';
import { defineStatement, type Statement } from '../sql/statement.ts';

const MINUTE_MS = 60_000;
/** Clocks of replicas differ by less; a time further ahead was written by a clock that has been set back since, and counts for nothing. */
const GREATEST_LEAD_MS = 2 * MINUTE_MS;

type TakeParameters = Readonly<Record<string, string | number>>;

const castToInteger = (value: Expression<number | string>): RawBuilder<number> => sql`cast(${value} as bigint)`;

/** When the allowance of a row is whole again, seen from now. */
const selectWholeAt = (table: string, now: RawBuilder<number>): RawBuilder<number> => {
  const kept = sql.ref(`${table}.whole_at_ms`);
  return sql`case when ${kept} between ${now} and ${now} + ${sql.lit(GREATEST_LEAD_MS)} then ${kept} else ${now} end`;
};

/**
 * Takes of so many allowances in one statement, each by the generic cell rate algorithm: what is taken puts off the time at which
 * the allowance is whole, by no more than a minute ahead. The condition stands in the outer `where`, where it is asked of the row as it
 * is once its lock is held, so that replicas cannot pass it together. What stands behind the first is taken only where the first has
 * something left: who is refused for himself takes nothing of what others share.
 */
function createTakeStatement(count: number): Statement<TakeParameters, { name: string }> {
  return defineStatement((db, p) => {
    const named = (name: string) => requirePlaceholder(p, name);
    const now = castToInteger(named('nowMs'));
    const asked = Array.from(
      { length: count },
      (_, place) =>
        sql`select cast(${named(`name${place}`)} as text) as name, ${castToInteger(named(`cost${place}`))} as cost, ${sql.lit(place)} as place`,
    );
    const taken = sql`${selectWholeAt('rates', now)} + excluded.whole_at_ms - ${now}`;
    const firstIsEmpty = sql`select 1 from rates as first where first.name = ${named('name0')}
      and ${selectWholeAt('first', now)} + ${castToInteger(named('cost0'))} > ${now} + ${sql.lit(MINUTE_MS)}`;
    const query = sql<{ name: string }>`insert into rates (name, whole_at_ms)
      select name, ${now} + cost from (${sql.join(asked, sql` union all `)}) as asked
      where place = 0 or not exists (${firstIsEmpty}) order by place
      on conflict (name) do update set whole_at_ms = ${taken} where ${taken} <= ${now} + ${sql.lit(MINUTE_MS)}
      returning name`;
    return { compile: () => query.compile(db) };
  });
}

/** By how many are asked for. */
const TAKES = [1, 2, 3].map(createTakeStatement);

/** What may be done so often in a minute, over all replicas: a crash of the server may forget it. */
export function createRateRecords({ deferredWrites }: Pick<Database, 'deferredWrites'>): RateRecords {
  return {
    async take(asked, nowMs) {
      const takeAll = TAKES[asked.length - 1];
      if (takeAll === undefined) throw new RangeError(`asked must hold 1 to ${TAKES.length} takes`);
      const parameters = Object.fromEntries(
        asked.flatMap(({ name, costMs }, place) => [
          [`name${place}`, name],
          [`cost${place}`, costMs],
        ]),
      );
      const { rows } = await deferredWrites.run(takeAll, { ...parameters, nowMs });
      return rows.map(({ name }) => name);
    },
  };
}
