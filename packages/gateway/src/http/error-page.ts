import { escapeHtml } from '@poolgate/provider';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayError } from '../kernel/gateway-errors.ts';
import { listLanguages, negotiateLanguage, renderLanguageAttributes } from '../pages/negotiate-language.ts';
import { PLAIN_STYLE, PLAIN_STYLE_SOURCE } from '../pages/plain-style.ts';
import { ERROR_PAGE_TEXTS } from './error-page-texts.ts';
import { createProblemHeaders } from './problem.ts';

const POLICY = [
  "default-src 'none'",
  `style-src ${PLAIN_STYLE_SOURCE}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LANGUAGES = listLanguages(ERROR_PAGE_TEXTS);

type ErrorPageCause = 'failed' | 'limited' | 'missing' | 'refused';

/** Whether a browser requests a page that a person will see. Browsers say so themselves, programs do not. */
export function isPageRequest(request: Pick<FastifyRequest, 'headers' | 'method'>): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && acceptsPage(request);
}

/** Whether a browser shows the response to a person, including responses to forms. */
export function acceptsPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const mode = headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && ACCEPTS_HTML.test(headers.accept ?? '');
}

/** RFC 9110 §12.5.1, by explicit name: a client that accepts anything is a program. */
const ACCEPTS_HTML = /(?:^|,)\s*text\/html\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

/** Sends an error as a page, with the status and headers that a program would get. */
export function sendErrorPage(request: FastifyRequest, reply: FastifyReply, error: GatewayError): FastifyReply {
  reply.problemCode = error.code;
  const language = negotiateLanguage(request.headers['accept-language'], LANGUAGES);
  return reply
    .headers({ ...createErrorPageHeaders(error, language), vary: 'Accept, Accept-Language' })
    .code(error.status)
    .type('text/html; charset=utf-8')
    .send(renderErrorPage(language, error, request.id));
}

type Language = (typeof LANGUAGES)[number];

/** The headers of an error page in addition to its content type. */
export function createErrorPageHeaders(error: GatewayError, language: Language): Readonly<Record<string, string>> {
  return { ...createProblemHeaders(error), 'content-language': language, 'content-security-policy': POLICY };
}

/** Renders an error as an HTML page. */
export function renderErrorPage(language: Language, error: GatewayError, requestId: string): string {
  const { code, status } = error;
  const texts = ERROR_PAGE_TEXTS[language];
  const [title, words] = selectTexts(texts, error);
  return `<!doctype html>
<html ${renderLanguageAttributes(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${PLAIN_STYLE}</style>
</head>
<body>
<main>
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${words}</p>
${
  code === 'misdirected_request'
    ? ''
    : `<p class="link"><a href="/">${texts.start}</a></p>
`
}<p class="request"><small>${texts.request} <code>${escapeHtml(requestId)}</code></small></p>
</main>
</body>
</html>
`;
}

function selectTexts(
  texts: (typeof ERROR_PAGE_TEXTS)[Language],
  { status, address, reason }: GatewayError,
): readonly [title: string, words: string] {
  if (reason === 'cookies_missing') return texts.cookies;
  if (address === undefined) return texts[toCause(status)];
  const [title, words] = texts.address;
  // A function, because a replacement string would interpret "$&".
  const shown = (value: string) => () => `<bdi>${escapeHtml(value)}</bdi>`;
  return [title, words.replace('{opened}', shown(address.opened)).replaceAll('{baseUrl}', shown(address.baseUrl))];
}

function toCause(status: number): ErrorPageCause {
  if (status === 404) return 'missing';
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : 'refused';
}
