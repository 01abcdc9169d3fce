import { createHash } from 'node:crypto';
import { escapeHtml } from '@poolgate/provider';
import { renderLanguageAttributes } from '../pages/negotiate-language.ts';
import { PLAIN_STYLE, PLAIN_STYLE_SOURCE } from '../pages/plain-style.ts';
import type { OAuthResponse } from './oauth-endpoint.ts';

/** A button of a form, and the field that it sends. */
export interface FormButton {
  readonly field?: { readonly name: string; readonly value: string };
  readonly label: string;
}

/** A page that works without scripts, in the few cases where no page of the service can be shown. */
export interface PlainPage {
  /** BCP 47. */
  readonly language: string;
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** In English: for whoever has to mend something. */
  readonly detail?: string;
  readonly form?: {
    readonly action: string;
    readonly hidden: Readonly<Record<string, string>>;
    /** A text that the user enters. */
    readonly input?: { readonly name: string; readonly label: string };
    readonly buttons: readonly FormButton[];
    /** Where the browser may be sent after it, besides this service. */
    readonly leadsTo: string | undefined;
    /** Whether a browser that runs scripts posts it at once, to another site. */
    readonly isPostedAtOnce?: boolean;
  };
}

/** Whatever the fields are named, they do not replace this function. */
const POST_SCRIPT = 'HTMLFormElement.prototype.submit.call(document.forms[0])';
const POST_SCRIPT_DIGEST = createHash('sha256').update(POST_SCRIPT).digest('base64');
const SCRIPT_POLICY = `script-src 'sha256-${POST_SCRIPT_DIGEST}'; require-trusted-types-for 'script'; trusted-types 'none'; `;

/** The page with its headers. It is framed by nobody, and tells nobody where it was. */
export function renderPlainPage({ language, status, title, paragraphs, detail, form }: PlainPage): OAuthResponse {
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
${detail === undefined ? '' : `<p lang="en" dir="ltr"><small>${escapeHtml(detail)}</small></p>\n`}${form === undefined ? '' : renderForm(form)}</main>
${isPostedAtOnce ? `<script>${POST_SCRIPT}</script>\n` : ''}</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      vary: 'Accept-Language',
      'content-security-policy': `default-src 'none'; ${isPostedAtOnce ? SCRIPT_POLICY : ''}style-src ${PLAIN_STYLE_SOURCE}; base-uri 'none'; form-action ${actions}; frame-ancestors 'none'`,
      // Without any referrer browsers send a form with the origin `null`, which could be anybody's. Other sites learn the origin at most.
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

/** What a policy calls the place that a form leads to (CSP Level 3 §2.3.1). An IPv6 address has no such name: its scheme stands for it. */
function toCspSource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}
