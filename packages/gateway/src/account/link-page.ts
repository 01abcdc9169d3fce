import { createHash } from 'node:crypto';
import { languageFor } from './language.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f6f7f9, #14171c); color: light-dark(#1a1d23, #eceff4); }
main { box-sizing: border-box; max-width: 34rem; margin: 0 auto; padding: clamp(1rem, 6vw, 4rem) 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; }
a { color: light-dark(#0b57d0, #a8c7fa); }
button { box-sizing: border-box; width: 100%; min-height: 3rem; margin: 1rem 0; padding: .75rem 1rem; border: 0; border-radius: .5rem; font: inherit; font-weight: 600; cursor: pointer; background: light-dark(#0b57d0, #a8c7fa); color: light-dark(#fff, #062e6f); }
button.danger { background: #b3261e; color: #fff; }
button[aria-disabled=true] { opacity: .7; cursor: progress; }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 3px; }
[hidden] { display: none; }
@media (min-width: 30rem) { button { width: auto; } }
`;

/** What the pages do: they wait for the button, post once, and say what came of it. */
const SCRIPT = `
const ask = document.getElementById('ask');
const button = document.getElementById('act');
const status = document.getElementById('status');
const say = (what) => { status.textContent = status.dataset[what]; };
const finish = (what) => {
  say(what);
  ask.hidden = true;
  document.getElementById('next').hidden = false;
  status.focus();
  history.replaceState(null, '', location.pathname);
};
let busy = false;
const act = async (path, body) => {
  if (busy) return;
  busy = true;
  button.setAttribute('aria-disabled', 'true');
  say('busy');
  try {
    const answer = await fetch(path, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) finish('done');
    else if ([400, 401].includes(answer.status)) finish('used');
    else say('failed');
  } catch {
    say('failed');
  }
  button.removeAttribute('aria-disabled');
  busy = false;
};
addEventListener('hashchange', () => location.reload());
const request = requestOf(location);
if (request) {
  ask.hidden = false;
  button.addEventListener('click', () => act(...request));
} else {
  say('missing');
}
`;

/** What a page says, as text of HTML. */
export interface LinkPageTexts {
  readonly title: string;
  readonly question: string;
  readonly effect: string;
  readonly button: string;
  readonly busy: string;
  readonly done: string;
  /** The link was used, is too old, or never was one. */
  readonly used: string;
  readonly failed: string;
  /** The address holds no token. */
  readonly missing: string;
  /** A link to where it goes on, once the button has done its work. */
  readonly next: string;
  /** Where scripts are off. */
  readonly script: string;
}

const LANGUAGES = ['en', 'de'] as const;

type Language = (typeof LANGUAGES)[number];

/** A page that a link in a mail leads to. */
export interface LinkPage {
  readonly texts: Readonly<Record<Language, LinkPageTexts>>;
  /** JavaScript: the function `requestOf(location)`, which gives path and body of what the button posts, or nothing. */
  readonly requestOf: string;
  readonly look: 'danger' | 'plain';
}

/** The answer that shows a page, in the language that is wanted most. */
interface ShownPage {
  readonly status: 200;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes such a page. Opening it does nothing, since scanners of mail open links; only its own script and style may run on it. */
export function linkPage(page: LinkPage): (acceptLanguage: string | undefined) => ShownPage {
  const script = `${page.requestOf}${SCRIPT}`;
  const policy = contentSecurityPolicy(script);
  const bodies: Readonly<Record<Language, string>> = { en: html('en', page, script), de: html('de', page, script) };
  return (acceptLanguage) => {
    const language = languageFor(acceptLanguage, LANGUAGES);
    return {
      status: 200,
      body: bodies[language],
      headers: { 'content-language': language, 'content-security-policy': policy, vary: 'Accept-Language' },
    };
  };
}

/** Only this script and this style, and requests to this service only. */
function contentSecurityPolicy(script: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(STYLE)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function html(language: Language, { texts, look }: LinkPage, script: string): string {
  const text = texts[language];
  const statusTexts = (['busy', 'done', 'used', 'failed', 'missing'] as const)
    .map((what) => `data-${what}="${text[what]}"`)
    .join(' ');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text.title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text.title}</h1>
<div id="ask" hidden>
<p>${text.question}</p>
<p>${text.effect}</p>
<button type="button" id="act" class="${look}">${text.button}</button>
</div>
<p id="status" role="status" tabindex="-1" ${statusTexts}></p>
<p id="next" hidden><a href="/">${text.next}</a></p>
<noscript><p>${text.script}</p></noscript>
</main>
<script>${script}</script>
</body>
</html>
`;
}
