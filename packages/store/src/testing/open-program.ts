import { argv, stdout } from 'node:process';
import { openStore } from '../open-store.ts';

// A test runs this as a separate process. It opens a store and prints the migrations that it ran.
const store = await openStore(argv[2] ?? '');
await store.close();
stdout.write(store.migrated.join());
