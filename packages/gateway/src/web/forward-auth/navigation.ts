import type { BrowserHeaders } from '../browser.ts';

/**
 * Whether a browser shows the answer as a document in its own window or tab. Requests of scripts, images and frames are not.
 * Browsers that send no `Sec-Fetch-*` headers (Safari before 16.4) are recognized by `Accept`.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isDocumentNavigation(headers: BrowserHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, accept = '' } = headers;
  if (mode === undefined && destination === undefined) return accept.includes('text/html');
  return (mode ?? 'navigate') === 'navigate' && (destination ?? 'document') === 'document';
}
