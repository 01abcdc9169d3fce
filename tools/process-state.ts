/** Finds what a test file left changed in its process, because the next file in that process would run with it. */
import { setTimeout as delay } from 'node:timers/promises';

/** The values by the names that error messages show. */
export type ProcessState = ReadonlyMap<string, unknown>;

/** The objects whose functions tests replace. */
const REPLACED = { globalThis, process, console, Math, Date };
/** Helpers that older libraries add, and a property that Node computes on first use. */
const HARMLESS = /^globalThis\.__|^process\.allowedNodeEnvironmentFlags$/;

function listMembers(): readonly (readonly [string, unknown])[] {
  return Object.entries(REPLACED).flatMap(([name, object]) =>
    Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([key, { value, get }]) =>
      typeof value === 'function' || get !== undefined ? [[`${name}.${key}`, value ?? get] as const] : [],
    ),
  );
}

/** Reads the state that test files share. */
export function readProcessState(): ProcessState {
  const { exitCode, argv, execArgv } = process;
  return new Map<string, unknown>([
    ...Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const),
    ...process.eventNames().map((name) => [`listeners of ${String(name)}`, process.listenerCount(name)] as const),
    ...listMembers(),
    ['performance.now', performance.now],
    ['process.exitCode', exitCode],
    ['process.argv', JSON.stringify([argv, execArgv])],
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask()],
  ]);
}

/** The names of the values that changed. */
export function listChanges(before: ProcessState, now = readProcessState()): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => !HARMLESS.test(name) && before.get(name) !== now.get(name),
  );
}

/** The time that closed servers and sockets have to disappear. */
const CLOSING_MS = 5_000;
const LOOK_MS = 10;

/** The standard streams, which open on first use. Child processes have a different name. */
const OWN_STREAMS = 'PipeWrap';

/** The kinds of resources that keep the process alive and did not before. */
function listNewResources(before: readonly string[]): readonly string[] {
  const left = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const index = left.indexOf(kind);
    if (index >= 0) left.splice(index, 1);
    return index < 0 && kind !== OWN_STREAMS;
  });
}

/** Waits until only the earlier resources keep the process alive. Returns those that remain after the wait. */
export async function findLeftResources(before: readonly string[]): Promise<readonly string[]> {
  const endMs = performance.now() + CLOSING_MS;
  while (listNewResources(before).length > 0 && performance.now() < endMs) {
    await delay(LOOK_MS);
  }
  return listNewResources(before);
}
