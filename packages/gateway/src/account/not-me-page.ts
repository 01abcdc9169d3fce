import { createHash } from 'node:crypto';
import type { Handler } from '../handler.ts';
import { languageFor } from './language.ts';
import { NOT_ME_TEXTS } from './not-me-texts.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f6f7f9, #14171c); color: light-dark(#1a1d23, #eceff4); }
main { box-sizing: border-box; max-width: 34rem; margin: 0 auto; padding: clamp(1rem, 6vw, 4rem) 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; }
button { box-sizing: border-box; width: 100%; min-height: 3rem; margin: 1rem 0; padding: .75rem 1rem; border: 0; border-radius: .5rem; font: inherit; font-weight: 600; cursor: pointer; background: #b3261e; color: #fff; }
button[aria-disabled=true] { opacity: .7; cursor: progress; }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 3px; }
[hidden] { display: none; }
@media (min-width: 30rem) { button { width: auto; } }
`;

/** The token stays in the fragment, which no browser sends, until the button posts it. */
const SCRIPT = `
const ask = document.getElementById('ask');
const button = document.getElementById('deny');
const status = document.getElementById('status');
const token = location.hash.slice(1);
const say = (what) => { status.textContent = status.dataset[what]; };
const finish = (what) => {
  say(what);
  ask.hidden = true;
  status.focus();
  history.replaceState(null, '', location.pathname);
};
let busy = false;
const deny = async () => {
  if (busy) return;
  busy = true;
  button.setAttribute('aria-disabled', 'true');
  say('busy');
  try {
    const answer = await fetch('../account/not-me', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) finish('done');
    else if (answer.status === 401) finish('used');
    else say('failed');
  } catch {
    say('failed');
  }
  button.removeAttribute('aria-disabled');
  busy = false;
};
addEventListener('hashchange', () => location.reload());
if (/^[\\w-]+$/.test(token)) {
  ask.hidden = false;
  button.addEventListener('click', deny);
} else {
  say('missing');
}
`;

/** Only this script and this style, and requests to this service only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

type Language = keyof typeof NOT_ME_TEXTS;

const LANGUAGES = ['en', 'de'] as const satisfies readonly Language[];

const PAGES: Readonly<Record<Language, string>> = { en: page('en'), de: page('de') };

/** GET /cognito/not-me: the page that a mail to the owner leads to. Opening it does nothing, since scanners of mail open links. */
export const showNotMePage: Handler<'notMePage'> = async (_deps, { acceptLanguage }) => {
  const language = languageFor(acceptLanguage, LANGUAGES);
  return {
    status: 200,
    body: PAGES[language],
    headers: {
      'content-language': language,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      vary: 'Accept-Language',
    },
  };
};

function page(language: Language): string {
  const text = NOT_ME_TEXTS[language];
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
<button type="button" id="deny">${text.button}</button>
</div>
<p id="status" role="status" tabindex="-1" ${statusTexts}></p>
<noscript><p>${text.script}</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
