/** A request of a browser to an application: it brings the cookies that it was given, and follows no redirection. */
export type ApplicationFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A browser at an application. @param answer how the application answers; by HTTP where nothing is said */
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
