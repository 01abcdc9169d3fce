/**
 * Imported first by the process of every test file. To know in which test something happens, the test runner has a hook that runs for every
 * promise. It takes a third of the time of tests that use a database. Here the hook sees only what a test does before its first `await`,
 * which is where suites declare their tests, and what a file declares while it is imported.
 */
import asyncHooks from 'node:async_hooks';

const { AsyncResource, createHook, executionAsyncId } = asyncHooks;

let onInit: asyncHooks.HookCallbacks['init'];

/** The ids of all tests and suites. */
const tests = new Set<number>();

/** The test of the file that is being imported. */
let importing: number | undefined;

/** The resource class of the runner's suites and tests. */
class TestResource extends AsyncResource {
  constructor(type: string, options?: number | asyncHooks.AsyncResourceOptions) {
    super(type, options);
    tests.add(this.asyncId());
    onInit?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }
}

/** Imports a file whose tests become subtests of the calling test. Call it before the first `await`. */
export async function importInTest(url: string): Promise<void> {
  importing = executionAsyncId();
  try {
    await import(url);
  } finally {
    importing = undefined;
  }
}

function findTest(): number {
  const id = executionAsyncId();
  return tests.has(id) ? id : (importing ?? id);
}

const unused: asyncHooks.AsyncHook = { enable: () => unused, disable: () => unused };

// The runner reads these names once, when it is loaded.
Object.assign(asyncHooks, {
  AsyncResource: TestResource,
  executionAsyncId: findTest,
  createHook: ({ init }: asyncHooks.HookCallbacks) => {
    onInit = init;
    return unused;
  },
});
await import('node:test');
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId });

// An uncaught error belongs to no test: its file fails, and the report shows where it was thrown.
process.on('uncaughtExceptionMonitor', (error) => console.error(error));
process.on('unhandledRejection', function show(reason) {
  // Before its first test the runner does not listen, and such a rejection ends the process.
  if (process.listeners('unhandledRejection').every((listener) => listener === show)) throw reason;
  console.error(reason);
});
