/**
 * The content security policy of pages: scripts, styles and requests of this origin only, nothing inline, and only these two policies turn
 * text into markup or scripts (Trusted Types). A page that needs more has its own header.
 * @see https://www.w3.org/TR/CSP3/
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html poolgate-client',
].join('; ');

const NOTHING_ELSE = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
};

const DEFAULT_POLICY = /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;

/** The headers of a page in addition to those of every response. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...NOTHING_ELSE,
  'content-security-policy': PAGE_POLICY,
};

/** The headers of a page in addition to those of every response. @param given the response's existing headers */
export function createPageHeaders(given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const isOwn = !DEFAULT_POLICY.test(String(given['content-security-policy']));
  return isOwn ? NOTHING_ELSE : PAGE_HEADERS;
}
