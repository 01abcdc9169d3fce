import { argv, stdout } from 'node:process';
import { openStore } from '../open-store.ts';

// Run by a test as a process of its own: opens a store and tells which migrations it ran.
const store = await openStore(argv[2] ?? '');
await store.close();
stdout.write(store.migrated.join());
