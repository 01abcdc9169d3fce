import { argv, stdout } from 'node:process';
import { openStore } from '../open-store.ts';
import { sampleLogin } from './sample-records.ts';

const WRITERS = 16;

// A test runs this as a separate process and kills it. It writes logins and pending logins without end, and prints each on a line once its
// write is acknowledged. The pool `p` and its user `u` already exist.
const [, , url = '', prefix = ''] = argv;
const store = await openStore(url);
let count = 0;

async function writeOne(): Promise<void> {
  count += 1;
  const id = `${prefix}-${count}`;
  await store.poolStore.write(async (transaction) => {
    await transaction.challengeSessions.reserve(id, 1_900_000_000_000);
    await transaction.challengeSessions.spend(id);
    await transaction.logins.insert(sampleLogin('p', 'u', id));
  });
  await store.records.pendingSrp.put({ digestHex: id, startEncrypted: 'sealed', expiresAtMs: 1_900_000_000_000 });
  stdout.write(`${id}\n`);
}

async function writeForEver(): Promise<never> {
  while (true) await writeOne();
}

await Promise.all(Array.from({ length: WRITERS }, writeForEver));
