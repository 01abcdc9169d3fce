import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import type { DeviceRequest } from './device-authorizations.ts';
import { toPoolPath } from './oauth-browser.ts';
import type { OAuthRequest, OAuthResponse } from './oauth-endpoint.ts';
import { readDisplayName, selectPageTexts } from './oauth-page-texts.ts';
import { renderPlainPage } from './plain-page.ts';

const ACTION = '/oauth2/device';

/** Why an entered code was rejected. */
type Failure = 'wrong' | 'too_many';

const FAILURES = {
  wrong: { status: 400, text: 'deviceWrong' },
  too_many: { status: 429, text: 'deviceTooMany' },
} as const;

/** The page on which a user enters a device's code. */
export function renderCodePage(
  runtime: GatewayRuntime,
  { headers }: OAuthRequest,
  session: WebSession,
  failure?: Failure,
): OAuthResponse {
  const { language, format } = selectPageTexts(headers);
  const { status, text } = failure === undefined ? { status: 200, text: undefined } : FAILURES[failure];
  const signedInAs = format('signedInAs', { username: readDisplayName(session) });
  return renderPlainPage({
    language,
    status,
    title: format('deviceTitle'),
    paragraphs: [...(text === undefined ? [] : [format(text)]), format('deviceEnter'), signedInAs],
    form: {
      action: toPoolPath(runtime, ACTION),
      hidden: { csrf_token: session.content.csrfToken },
      input: { name: 'user_code', label: format('deviceCode') },
      buttons: [{ label: format('continue') }],
      leadsTo: undefined,
    },
  });
}

/** The page that shows the application, its address and the code. Nothing is granted before it. */
export function renderDevicePage(
  runtime: GatewayRuntime,
  { headers }: OAuthRequest,
  session: WebSession,
  { ClientName, Request, sourceAddress }: DeviceRequest,
  userCode: string,
): OAuthResponse {
  const { language, format, listScopes } = selectPageTexts(headers);
  const names = {
    client: ClientName,
    username: readDisplayName(session),
    scopes: listScopes(Request.scope),
    address: sourceAddress,
    code: userCode,
  };
  return renderPlainPage({
    language,
    status: 200,
    title: format('deviceAsks', names),
    paragraphs: (['deviceFrom', 'deviceWarning', 'asksFor', 'signedInAs'] as const).map((text) => format(text, names)),
    form: {
      action: toPoolPath(runtime, ACTION),
      hidden: { user_code: userCode, csrf_token: session.content.csrfToken },
      buttons: [
        { field: { name: 'choice', value: 'continue' }, label: format('allow') },
        { field: { name: 'choice', value: 'deny' }, label: format('cancel') },
      ],
      leadsTo: undefined,
    },
  });
}

/** The page after the decision. */
export function renderOutcomePage(
  { settings }: GatewayRuntime,
  { headers }: OAuthRequest,
  isGranted: boolean,
): OAuthResponse {
  const { language, format } = selectPageTexts(headers);
  const title = format(isGranted ? 'deviceDone' : 'deviceDenied');
  const link = { href: `${settings.webPrefix}/account`, label: format('start') };
  return renderPlainPage({ language, status: 200, title, paragraphs: [format('close')], link });
}
