/** A browser's request to an application: it sends its cookies, and follows no redirect. */
export type ApplicationFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Creates a browser at an application. @param answer how the application responds. Default: by HTTP */
export function createApplicationFetch(
  answer: (request: Request) => Promise<Response> = (request) => fetch(request),
): ApplicationFetch {
  const jar = new Map<string, string>();
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '));
    const response = await answer(new Request(url, { ...init, headers, redirect: 'manual' }));
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}
