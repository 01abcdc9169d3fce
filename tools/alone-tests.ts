/** Files of a package or of the suites over the routes that need their own process. The others share processes; `process-state.ts` checks what they leave behind. */
export const ALONE: readonly RegExp[] = [
  // They install a document and its globals, which libraries read when they load.
  /^packages\/elements\//,
  // They start PostgreSQL servers with a library that listens for signals.
  /^e2e\/routes\/database-(failover|restart)\.test\.ts$/,
  // They take so long that a batch would wait for them.
  /^e2e\/routes\/who-exists(-rows)?\.test\.ts$/,
  // They start and end separate services.
  /^e2e\/accounts\/(key-rotation|secret-change)\.test\.ts$/,
  // They measure time or load the process until it refuses requests.
  /^e2e\/routes\/(overload|stopping|hardships)\.test\.ts$/,
  /^e2e\/oauth\/exhaustion\.test\.ts$/,
  // It starts PostgreSQL servers with a library that listens for signals.
  /^packages\/store\/src\/postgres\/failover\.test\.ts$/,
  // They test code that changes the environment or listens for the exit of the process.
  /^packages\/poolgate\/src\/doctor\/check-up\.test\.ts$/,
  /^packages\/poolgate\/src\/process\/log-line\.test\.ts$/,
  // It counts what its process remembers.
  /^packages\/store\/src\/pool\/sql-pool-repository\.test\.ts$/,
];
