import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { MAIL_PAGE_POLICY, renderMailPage } from './mail-page.ts';

/** GET /dev/mail: the outbox as a page without scripts. */
export const showMails: Handler<'devMail'> = async ({ outbox }, { query }) => {
  if (outbox === undefined) throw new GatewayError('not_found');
  const to = query.to === '' ? undefined : query.to;
  return {
    status: 200,
    body: renderMailPage(outbox.list(to), { to, id: query.id }),
    headers: { 'content-security-policy': MAIL_PAGE_POLICY },
  };
};

/** What a displayed email may do: nothing, on a separate origin. Only pages of this service may frame it. */
const MAIL_POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** GET /dev/mail/{id}: the HTML of an email as it was written, including untrusted content. */
export const showMailBody: Handler<'devMailBody'> = async ({ outbox }, { params }) => {
  if (outbox === undefined) throw new GatewayError('not_found');
  const entry = outbox.list(undefined).find(({ id }) => id === params.id);
  return {
    status: 200,
    body: entry?.html ?? 'This message no longer exists or has no HTML.',
    headers: { 'content-security-policy': MAIL_POLICY, 'x-frame-options': 'SAMEORIGIN' },
  };
};
