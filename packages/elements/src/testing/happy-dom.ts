/**
 * Gives a test file the document of a browser. It must be the first import of that file, because Lit detects its environment when it is
 * loaded.
 */
import { Window } from 'happy-dom';

const ORIGIN = 'https://auth.example.com';
const window = new Window({ url: `${ORIGIN}/cognito/login` });

/** Classes that Node replaces with its own, which do not work with elements and events of a document. */
const DOCUMENT_GLOBALS: ReadonlySet<string> = new Set([
  'CustomEvent',
  'Event',
  'EventTarget',
  'FormData',
  'localStorage',
  'navigator',
]);

for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !DOCUMENT_GLOBALS.has(name)) continue;
  Object.defineProperty(globalThis, name, {
    value: Reflect.get(window, name),
    configurable: true,
    writable: true,
  });
}

/** The addresses to which the page navigated, in order. */
export const visitedUrls: string[] = [];

/** An address that only records navigation, and loads nothing. */
const fakeLocation = (href: string) => {
  const { hash, origin, pathname, search } = new URL(href);
  const go = (url: string | URL): void => void visitedUrls.push(String(url));
  return { href, hash, origin, pathname, search, assign: go, replace: go, reload: () => go('reload') };
};

/** Opens the page at an address, relative to the origin of the service. */
export function openPage(path: string): void {
  visitedUrls.length = 0;
  Object.defineProperty(globalThis, 'location', {
    value: fakeLocation(new URL(path, ORIGIN).href),
    configurable: true,
    writable: true,
  });
}

openPage('/cognito/login');

// As in browsers, so that no test waits for a timer.
Object.defineProperty(globalThis, 'scheduler', {
  value: { yield: () => new Promise<void>((resolve) => setImmediate(resolve)) },
  configurable: true,
});
