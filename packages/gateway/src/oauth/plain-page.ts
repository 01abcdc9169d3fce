import { createHash } from 'node:crypto';
import { escapeHtml } from '@poolgate/provider';
import { renderLanguageAttributes } from '../pages/negotiate-language.ts';
import { PLAIN_STYLE, PLAIN_STYLE_SOURCE } from '../pages/plain-style.ts';
import type { OAuthResponse } from './oauth-endpoint.ts';

/** A form button and the field that it sends. */
export interface FormButton {
  readonly field?: { readonly name: string; readonly value: string };
  readonly label: string;
}

/** A page without scripts, for the few cases in which no page of the service can be shown. */
export interface PlainPage {
  /** BCP 47. */
  readonly language: string;
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Where the user can go on. */
  readonly link?: { readonly href: string; readonly label: string };
  /** In English: a hint for developers and operators. */
  readonly detail?: string;
  readonly form?: {
    readonly action: string;
    readonly hidden: Readonly<Record<string, string>>;
    /** A text field. */
    readonly input?: { readonly name: string; readonly label: string };
    readonly buttons: readonly FormButton[];
    /** Another site that the form may redirect to. */
    readonly leadsTo: string | undefined;
    /** Whether a browser with scripts posts it immediately, to another site. */
    readonly isPostedAtOnce?: boolean;
  };
}

/** A form field of any name cannot replace this function. */
const POST_SCRIPT = 'HTMLFormElement.prototype.submit.call(document.forms[0])';
const POST_SCRIPT_DIGEST = createHash('sha256').update(POST_SCRIPT).digest('base64');
const SCRIPT_POLICY = `script-src 'sha256-${POST_SCRIPT_DIGEST}'; require-trusted-types-for 'script'; trusted-types 'none'; `;

/** Renders the page with its headers. No site may frame it, and it sends no referrer. */
export function renderPlainPage(page: PlainPage): OAuthResponse {
  const { language, status, title, paragraphs, link, detail, form } = page;
  const source = form?.leadsTo === undefined ? '' : toCspSource(form.leadsTo);
  const actions = form === undefined ? "'none'" : `'self'${source && ` ${source}`}`;
  const isPostedAtOnce = form?.isPostedAtOnce === true;
  const body = `<!doctype html>
<html ${renderLanguageAttributes(language)}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${PLAIN_STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${detail === undefined ? '' : `<p lang="en" dir="ltr"><small>${escapeHtml(detail)}</small></p>\n`}${
  link === undefined ? '' : `<p class="link"><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>\n`
}${form === undefined ? '' : renderForm(form)}</main>
${isPostedAtOnce ? `<script>${POST_SCRIPT}</script>\n` : ''}</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      vary: 'Accept-Language',
      'content-security-policy': `default-src 'none'; ${isPostedAtOnce ? SCRIPT_POLICY : ''}style-src ${PLAIN_STYLE_SOURCE}; base-uri 'none'; form-action ${actions}; frame-ancestors 'none'`,
      // Without any referrer, browsers send the form with the origin `null`, which could come from any site. This policy reveals at most
      // the origin to other sites.
      ...(form !== undefined && { 'referrer-policy': isPostedAtOnce ? 'strict-origin' : 'same-origin' }),
    },
    body,
  };
}

function renderForm({ action, hidden, input, buttons }: NonNullable<PlainPage['form']>): string {
  const fields = Object.entries(hidden).map(([name, value]) => `<input type="hidden"${renderField({ name, value })}>`);
  const choices = buttons.map(
    ({ field, label }) => `<button${field === undefined ? '' : renderField(field)}>${escapeHtml(label)}</button>`,
  );
  return `<form method="post" action="${escapeHtml(action)}">
${[...fields, ...(input === undefined ? [] : [renderInput(input)]), ...choices].join('\n')}
</form>
`;
}

function renderInput({ name, label }: { readonly name: string; readonly label: string }): string {
  const how = 'required autocomplete="off" autocapitalize="characters" spellcheck="false" dir="ltr"';
  return `<p><label>${escapeHtml(label)} <input name="${escapeHtml(name)}" ${how}></label></p>`;
}

function renderField({ name, value }: NonNullable<FormButton['field']>): string {
  return ` name="${escapeHtml(name)}" value="${escapeHtml(value)}"`;
}

/** Returns the CSP source of a form's target (CSP Level 3 §2.3.1). CSP has no syntax for IPv6 addresses, so their scheme is used. */
function toCspSource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}
