import type { RateRecords } from '@poolgate/gateway/records';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { requirePlaceholder } from '../sql/placeholder.ts';
import { defineStatement, type Statement } from '../sql/statement.ts';

const MINUTE_MS = 60_000;
/** Replica clocks differ by less than this. A later time was written by a clock that has since been set back, and is ignored. */
const GREATEST_LEAD_MS = 2 * MINUTE_MS;

type TakeParameters = Readonly<Record<string, string | number>>;

const castToInteger = (value: Expression<number | string>): RawBuilder<number> => sql`cast(${value} as bigint)`;

/** When a row's allowance is full again, relative to now. */
const selectWholeAt = (table: string, now: RawBuilder<number>): RawBuilder<number> => {
  const kept = sql.ref(`${table}.whole_at_ms`);
  return sql`case when ${kept} between ${now} and ${now} + ${sql.lit(GREATEST_LEAD_MS)} then ${kept} else ${now} end`;
};

/**
 * Takes from several allowances in one statement, by the generic cell rate algorithm. Each use postpones the time at which the allowance is
 * full, by at most a minute into the future. The condition is in the outer `where`, which the database evaluates after it has locked the
 * row, so replicas cannot pass it together. Allowances after the first are used only if the first has something left, so a caller who is
 * over their own limit takes nothing from a shared one.
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

/** The statements by number of allowances. */
const TAKES = [1, 2, 3].map(createTakeStatement);

/** Stores rate limits per minute that all replicas share. They may be lost if the database server crashes. */
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
