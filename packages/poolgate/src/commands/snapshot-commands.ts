import { type Command, JSON_OUTPUT } from '../command-line/command.ts';

const RUNNING = 'The running service does it, at HOST and PORT. It refuses in production.';
const KEY =
  'The admin key is that of the development start in the data folder, or one with every scope in POOLGATE_ADMIN_KEY.';

/** The commands that save and restore the whole store. */
export const SNAPSHOT_COMMANDS: readonly Command[] = [
  {
    name: 'snapshot save',
    operands: ['name'],
    summary: 'Save everything in the store under a name, for tests.',
    details: [
      RUNNING,
      'A snapshot of the same name is replaced. The files are in the folder snapshots of the data folder.',
      KEY,
    ],
    options: [],
    load: async () => (await import('./snapshots.ts')).runSnapshotSave,
  },
  {
    name: 'snapshot restore',
    operands: ['name'],
    summary: 'Replace everything in the store with a snapshot.',
    details: [RUNNING, 'Sessions, tokens, users, keys and settings are those of the snapshot from then on.', KEY],
    options: [],
    load: async () => (await import('./snapshots.ts')).runSnapshotRestore,
  },
  {
    name: 'snapshot list',
    operands: [],
    summary: 'List the snapshots.',
    details: [RUNNING, KEY],
    options: [JSON_OUTPUT],
    load: async () => (await import('./snapshots.ts')).runSnapshotList,
  },
  {
    name: 'snapshot delete',
    operands: ['name'],
    summary: 'Delete a snapshot.',
    details: [RUNNING, KEY],
    options: [],
    load: async () => (await import('./snapshots.ts')).runSnapshotDelete,
  },
  {
    name: 'reset',
    operands: [],
    summary: 'Empty the store and set it up as a first start does, with the same pool id and client id.',
    details: [RUNNING, 'The file of POOLGATE_APPLY is applied again. Snapshots stay.', KEY],
    options: [],
    load: async () => (await import('./snapshots.ts')).runReset,
  },
];
