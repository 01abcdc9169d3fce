import type { BrowserHeaders } from '../browser.ts';

/**
 * Whether a browser shows the response as a document in its own window or tab, unlike requests of scripts, images and frames. Browsers
 * without `Sec-Fetch-*` headers (Safari before 16.4) are recognized by `Accept`.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isDocumentNavigation(headers: BrowserHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, accept = '' } = headers;
  if (mode === undefined && destination === undefined) return accept.includes('text/html');
  return (mode ?? 'navigate') === 'navigate' && (destination ?? 'document') === 'document';
}
