import { join } from 'node:path';
import { BATCH, importUsers, openPoolFile, openSqliteTable } from '../peers/pool-file.ts';
import type { Contender, Median, Sample, Scenario } from '../rig/scenario.ts';

const ROUND_MS = 1_000;

/** Writes one batch of users. */
interface UserWriter {
  write(): Promise<void> | void;
  close(): Promise<void> | void;
}

function createWriterContender(name: string, open: (file: string) => Promise<UserWriter>): Contender {
  return {
    name,
    async open(stage) {
      const writing = await open(join(stage.newFolder(), 'users.db'));
      await writing.write();
      return { pids: [], round: () => writeRound(writing), close: async () => writing.close() };
    },
  };
}

async function writeRound({ write }: UserWriter): Promise<Sample> {
  const before = process.cpuUsage();
  const began = performance.now();
  let users = 0;
  while (performance.now() - began < ROUND_MS) {
    await write();
    users += BATCH;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: users / seconds, perCpuSecond: users / ((user + system) / 1e6) };
}

async function openPool(file: string): Promise<UserWriter> {
  const opened = await openPoolFile(file);
  let next = 0;
  return {
    async write() {
      await importUsers(opened, next, next + BATCH);
      next += BATCH;
    },
    close: opened.close,
  };
}

async function openTable(file: string): Promise<UserWriter> {
  const { insert, close } = openSqliteTable(file);
  return { write: insert, close };
}

const IMPORT = 'ours: users, names, search rows, events';
const FLOOR = 'floor: node:sqlite, one row a user';

/** The number of users that an import writes. */
export const userImport: Scenario = {
  name: 'user-import',
  title: `Import of users, ${BATCH} a write, database on a file with full durability`,
  metrics: [
    { key: 'perSecond', heading: 'users/s', digits: 0 },
    { key: 'perCpuSecond', heading: 'per CPU', digits: 0, follows: 'rate' },
  ],
  contenders: [createWriterContender(IMPORT, openPool), createWriterContender(FLOOR, openTable)],
  goals: [
    {
      text: `${IMPORT} / ${FLOOR}, users per second`,
      ratio: (median: Median) => median(IMPORT, 'perSecond') / median(FLOOR, 'perSecond'),
      bound: { atLeast: 0.01 },
    },
  ],
};
