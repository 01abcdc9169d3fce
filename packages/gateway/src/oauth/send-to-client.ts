import type { AuthorizationResponse } from '@poolgate/provider';
import { createRedirect } from './oauth-browser.ts';
import type { OAuthRequest, OAuthResponse } from './oauth-endpoint.ts';
import { selectPageTexts } from './oauth-page-texts.ts';
import { renderPlainPage } from './plain-page.ts';

/** Sends the browser to the client with the response: by a redirect, or by a page that posts the response as a form. */
export function sendToClient(
  { Location, Form }: AuthorizationResponse,
  { method, headers }: Pick<OAuthRequest, 'method' | 'headers'>,
): OAuthResponse {
  if (Form === undefined) return createRedirect(Location, {}, method === 'POST' ? 303 : 302);
  const { language, format } = selectPageTexts(headers);
  return renderPlainPage({
    language,
    status: 200,
    title: format('returning'),
    paragraphs: [format('returnByHand')],
    form: {
      action: Location,
      hidden: Form,
      buttons: [{ label: format('continue') }],
      leadsTo: Location,
      isPostedAtOnce: true,
    },
  });
}
