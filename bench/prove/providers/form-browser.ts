import { createApplicationFetch } from '../../../e2e/support/web/application-fetch.ts';
import { PROVIDER_USER } from './provider-program.ts';

const MAX_STEPS = 16;

/** Returns the fields of the first form of a page, with the user's answers. */
function fillForm(html: string): { readonly action: string; readonly fields: URLSearchParams } {
  const [, tag = '', content = ''] = /<form([^>]*)>(.*?)<\/form>/s.exec(html) ?? [];
  const [, action = ''] = /action="([^"]*)"/.exec(tag) ?? [];
  const fields = new URLSearchParams();
  for (const [input] of content.matchAll(/<(?:input|button)[^>]*>/g)) {
    const [, name] = /name="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? [];
    if (name === undefined) continue;
    if (/^(?:login|username|email)$/.test(name)) fields.set(name, PROVIDER_USER.email);
    else if (name === 'password') fields.set(name, PROVIDER_USER.password);
    else fields.set(name, value);
  }
  return { action: action.replaceAll('&amp;', '&'), fields };
}

/** A browser whose user signs in at a provider, by its forms. */
export function createProviderBrowser(): (link: string, callback: string) => Promise<URL> {
  const ask = createApplicationFetch();
  /** Follows a link and fills in forms, until the provider redirects to the callback. */
  return async (link, callback) => {
    let next = link;
    let sent: RequestInit = {};
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const answer = await ask(next, sent);
      const text = await answer.text();
      const location = answer.headers.get('location');
      if (location !== null) {
        next = new URL(location, next).href;
        sent = {};
        if (next.startsWith(callback)) return new URL(next);
        continue;
      }
      const { action, fields } = fillForm(text);
      if ([...fields].length === 0) throw new Error(`${next} answers ${answer.status}: ${text.slice(0, 1_000)}`);
      next = new URL(action, next).href;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      sent = { method: 'POST', headers, body: fields.toString() };
    }
    throw new Error(`${link} does not come back`);
  };
}
