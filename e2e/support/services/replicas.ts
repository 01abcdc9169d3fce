import { createMigratedDatabase } from '@poolgate/store/testing';
import { BEHIND_PROXY } from '../requests/exchange.ts';
import { NO_POLLING_TIMER, startTestService, type TestService } from './test-service.ts';

/** Two services on one PostgreSQL. */
export interface Replicas {
  readonly one: TestService;
  readonly other: TestService;
  readonly databaseUrl: string;
  /** Stops both and drops their database. */
  close(): Promise<void>;
}

/** Starts two services on a separate database. */
export async function openReplicas(start: typeof startTestService = startTestService): Promise<Replicas> {
  const database = await createMigratedDatabase();
  const one = await start({ ...BEHIND_PROXY, databaseUrl: database.url, timer: NO_POLLING_TIMER });
  const other = await one.replica();
  return {
    one,
    other,
    databaseUrl: database.url,
    async close() {
      await other.close();
      await one.close();
      await database.drop();
    },
  };
}
