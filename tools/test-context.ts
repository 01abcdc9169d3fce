/**
 * Imported first by the process of every test file. To know in which test something happens, the test runner has a hook called for every
 * promise: a third of the time of tests that ask a database. Here it knows it by an `AsyncLocalStorage`, which costs next to nothing.
 */
import asyncHooks from 'node:async_hooks';

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks;

const runningTest = new AsyncLocalStorage<number>();

let onInit: asyncHooks.HookCallbacks['init'];

/** What the runner makes suites and tests of. */
class TestResource extends AsyncResource {
  constructor(type: string, options?: number | asyncHooks.AsyncResourceOptions) {
    super(type, options);
    onInit?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }

  override runInAsyncScope<This, Result>(
    run: (this: This, ...words: unknown[]) => Result,
    thisArg?: This,
    ...words: unknown[]
  ): Result {
    return runningTest.run(this.asyncId(), () => super.runInAsyncScope(run, thisArg, ...words));
  }
}

const unused: asyncHooks.AsyncHook = { enable: () => unused, disable: () => unused };

// The runner takes its own names for them once, when it is loaded.
Object.assign(asyncHooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => runningTest.getStore() ?? executionAsyncId(),
  createHook: ({ init }: asyncHooks.HookCallbacks) => {
    onInit = init;
    return unused;
  },
});
await import('node:test');
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId });

// An error that nobody caught is in no test: its file fails, and it is shown with where it was thrown.
process.on('uncaughtExceptionMonitor', (error) => console.error(error));
process.on('unhandledRejection', function show(reason) {
  // Before its first test the runner does not listen, and such a rejection ends the process.
  if (process.listeners('unhandledRejection').every((listener) => listener === show)) throw reason;
  console.error(reason);
});
