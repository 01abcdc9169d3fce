/** A place in the console. It is in the fragment of the address, which browsers do not send, so that no log has names of users. */
export interface ConsoleRoute {
  /** The name of the screen, such as `users`. */
  readonly screen: string;
  /** What the screen shows, such as a username; empty if nothing in particular. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Parses the fragment of an address, such as `#/user/ada?tab=devices`. */
export function parseRoute(fragment: string): ConsoleRoute {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', ...rest] = path.split('/');
  return { screen, id: decode(rest.join('/')), query: new URLSearchParams(query) };
}

/** Formats the fragment of a place. Filters without a value are left out. */
export function formatRoute(
  screen: string,
  id = '',
  query: Readonly<Record<string, string | null | undefined>> = {},
): string {
  const filled = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = filled.length === 0 ? '' : `?${new URLSearchParams(filled)}`;
  return `#/${screen}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
