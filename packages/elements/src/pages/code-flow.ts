import type { SessionClient } from '@poolgate/client';
import type { PagePath } from './page-table.ts';

/** The pages on which a code is entered, and what the service calls the flow that it belongs to. */
const FLOWS: { readonly [Page in PagePath]?: 'sign_up' | 'reset' } = { verify: 'sign_up', reset: 'reset' };

/** The page that follows, by the event of the element: another page in this document, with a new history entry or replacing the last one. */
const NEXT_PAGES = {
  'poolgate-signed-up': { page: 'verify', isNewEntry: true },
  'poolgate-code-sent': { page: 'reset', isNewEntry: true },
  'poolgate-verified': { page: 'login', isNewEntry: false },
  'poolgate-password-reset': { page: 'login', isNewEntry: false },
} as const satisfies Readonly<Record<string, { readonly page: PagePath; readonly isNewEntry: boolean }>>;

/**
 * Keeps the URL of a sign-up or a reset in step with the current form, so that a reload shows that form again. After the reload, the page
 * shows the code field for the same username, and the countdown until another code can be sent continues.
 */
export async function followCodeFlow(
  page: PagePath,
  element: HTMLElement,
  { client, prefix }: { readonly client: SessionClient; readonly prefix: string },
): Promise<void> {
  const flow = FLOWS[page];
  const found = flow && (await client.unfinished().catch(() => null));
  if (found && found.flow === flow) {
    const { username, codesSent, startedAtMs: codeSentAtMs } = found;
    Object.assign(element, { username, codesSent, codeSentAtMs });
  }
  const shown = { path: location.pathname };
  for (const [event, { page: next, isNewEntry }] of Object.entries(NEXT_PAGES)) {
    element.addEventListener(event, () => {
      shown.path = `${prefix}/${next}`;
      const address = `${shown.path}${location.search}`;
      if (isNewEntry) history.pushState(null, '', address);
      else history.replaceState(history.state, '', address);
    });
  }
  addEventListener('popstate', () => {
    if (location.pathname !== shown.path) location.reload();
  });
}
