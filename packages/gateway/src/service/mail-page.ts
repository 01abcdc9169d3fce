import { createHash } from 'node:crypto';
import { escapeHtml } from '@poolgate/provider';
import type { OutboxEntry } from '../kernel/deps.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; --line: light-dark(#e2e5ec, #2a313e); --soft: light-dark(#565e6e, #a7b0c0); --accent: light-dark(#3b4fd6, #93a4ff); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: light-dark(#f4f5f9, #0c0f15); color: light-dark(#14171f, #f1f3f8); }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .75rem 1rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.1rem; }
form { display: flex; gap: .5rem; }
input, button { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: light-dark(#fff, #161a22); color: inherit; }
a { color: var(--accent); }
main { flex: 1; display: grid; grid-template-columns: minmax(14rem, 22rem) 1fr; }
nav { border-inline-end: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .6rem 1rem; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a[aria-current] { background: light-dark(#eef0fe, #1f2547); }
nav a:hover { background: light-dark(#eef1f6, #2a303a); }
small { color: var(--soft); display: block; }
article { padding: 1rem; min-width: 0; display: flex; flex-direction: column; gap: 1rem; }
h2 { margin: 0; font-size: 1.3rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; background: light-dark(#fff, #161a22); }
h3 { margin: 0; font-size: .9rem; color: var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 44rem) { main { grid-template-columns: 1fr; } nav { border-inline-end: 0; max-height: 14rem; overflow: auto; } }
`;

/** Allows no scripts, only the page's own style, and frames of this service that run and load nothing. */
export const MAIL_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The selected part of the outbox. */
interface MailSelection {
  readonly to: string | undefined;
  /** Undefined for the newest one. */
  readonly id: string | undefined;
}

/** Renders the outbox as a page. All content is untrusted, so it is shown as text, and HTML in a separate frame. */
export function renderMailPage(entries: readonly OutboxEntry[], { to, id }: MailSelection): string {
  const shown = id === undefined ? entries[0] : entries.find((entry) => entry.id === id);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Messages – Poolgate development</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Messages that were not sent</h1>
<form method="get" action="mail" role="search"><input type="search" name="to" maxlength="128" value="${escapeHtml(to ?? '')}" aria-label="Address or number" placeholder="Address or number"><button>Show</button></form>
<a href="mail">All, newest first</a>
<a href="outbox">As JSON</a>
</header>
<main>
<nav aria-label="Messages"><ul>
${entries.map((entry) => renderListItem(entry, entry === shown, to)).join('\n')}
</ul></nav>
${shown === undefined ? renderEmptyOutbox(entries.length) : renderMessage(shown)}
</main>
</body>
</html>
`;
}

function renderEmptyOutbox(count: number): string {
  const words =
    count === 0
      ? 'No messages yet. Sign up or request a code, then reload this page.'
      : 'This message no longer exists.';
  return `<article><p>${words}</p></article>`;
}

function renderListItem(
  { id, to, subject, at, channel }: OutboxEntry,
  isShown: boolean,
  chosenTo: string | undefined,
): string {
  const query = new URLSearchParams({ ...(chosenTo === undefined ? {} : { to: chosenTo }), id });
  const title = escapeHtml(channel === 'sms' ? `SMS: ${subject}` : subject);
  const current = isShown ? ' aria-current="true"' : '';
  return `<li><a href="mail?${escapeHtml(query.toString())}"${current}>${title}<small>${escapeHtml(to)}</small><small>${renderTime(at)}</small></a></li>`;
}

function renderMessage({ id, to, subject, at, channel, code, text, html }: OutboxEntry): string {
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['To', escapeHtml(to)],
    ['By', channel === 'sms' ? 'SMS' : 'mail'],
    ['At', renderTime(at)],
    ['Code', code && escapeHtml(code)],
  ];
  const facts = rows.flatMap(([name, value]) => (value ? [`<dt>${name}</dt><dd>${value}</dd>`] : []));
  const frame = `<iframe sandbox title="The mail as its reader sees it" src="mail/${encodeURIComponent(id)}"></iframe>`;
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<dl>${facts.join('')}</dl>
${html === undefined ? '' : `${frame}\n<h3>As plain text, with its links</h3>`}
<pre>${disableLinks(text)}</pre>
</article>`;
}

function renderTime(at: string): string {
  return `<time datetime="${escapeHtml(at)}">${escapeHtml(at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}</time>`;
}

const ADDRESS = /(https?:\/\/[^\s<>"']+)/;

/** Disables links in the frame. */
function disableLinks(text: string): string {
  const parts = text.split(ADDRESS).map(escapeHtml);
  const link = (address: string) => `<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`;
  return parts.map((part, index) => (index % 2 === 1 ? link(part) : part)).join('');
}
