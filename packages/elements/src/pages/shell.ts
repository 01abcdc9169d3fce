import type { LoginParameters } from '@poolgate/client';
import { allLanguages, loadTranslation } from '../translations/language-catalogue.ts';
import type { EscapeHtml } from './markup.ts';
import { getPage, type PageRequestState, type PageSettings, SETTINGS_META_NAME, toHeadingTexts } from './page-table.ts';

export type { TextPart } from '../translations/languages.ts';
export {
  getPage,
  PAGES,
  type PagePart,
  type PagePath,
  type PageRequestState,
  type PageSettings,
} from './page-table.ts';

/** A page in one language: a shell that its script fills. For a visitor without a session it already contains the sign-in form. */
export interface PageShell {
  /** BCP 47. */
  readonly language: string;
  /** Renders it with the facts that are known at the request. */
  html(known: PageRequestState): string;
}

/** The URLs of a page's files. */
export interface PageFiles {
  readonly scriptUrl: string;
  readonly styleUrls: readonly string[];
  /** The files that the script needs next, including that of a language, to load them in parallel. */
  preloadUrls(language: string): readonly string[];
}

/** Creates a page in every language. The first one is the fallback. */
export async function createPageShells(
  settings: PageSettings,
  files: PageFiles,
  escapeHtml: EscapeHtml,
): Promise<readonly PageShell[]> {
  const { renderSignInForm } = await import('./prerendered-sign-in.ts');
  return Promise.all(
    allLanguages().map(async (language) => {
      const { tag, direction } = language;
      const translation = await loadTranslation(language, {}, ['forms', 'account']);
      const { text } = translation;
      const page = text(getPage(settings.page).title);
      const title = `${page} · ${settings.appName}`;
      const parts = { tag, direction, title, noScript: text('page.script', { page }), files, escapeHtml };
      const own = toHeadingTexts(settings);
      const withHeading: typeof translation = { ...translation, text: (id, values) => own[id] ?? text(id, values) };
      const formWith = memoizeForms(({ parameters, prefix }: FormState) =>
        renderSignInForm(withHeading, { ...settings, prefix }, parameters, escapeHtml),
      );
      // A user who may already be signed in sees no form until the service has confirmed the state.
      const form = ({ parameters, hasSession, prefix = settings.prefix }: PageRequestState): string =>
        settings.page !== 'login' || hasSession !== false || parameters === undefined
          ? ''
          : formWith({ parameters, prefix });
      return {
        language: tag,
        html: (known) => renderShell({ ...parts, form: form(known), settings: { ...settings, ...known } }),
      };
    }),
  );
}

/** The input of the first sign-in form. */
interface FormState {
  readonly parameters: LoginParameters;
  readonly prefix: string;
}

/** Enough for the pools that are in use at a time. */
const MOST_FORMS = 100;

/** Caches forms. Their input changes only with the pool and its settings. */
function memoizeForms(draw: (state: FormState) => string): (state: FormState) => string {
  const forms = new Map<string, string>();
  return (state) => {
    const key = JSON.stringify(state);
    const form = forms.get(key) ?? draw(state);
    if (forms.size >= MOST_FORMS && !forms.has(key)) forms.clear();
    forms.set(key, form);
    return form;
  };
}

interface ShellOptions {
  readonly tag: string;
  readonly direction: string;
  readonly title: string;
  readonly noScript: string;
  readonly form: string;
  readonly settings: PageSettings & PageRequestState;
  readonly files: PageFiles;
  readonly escapeHtml: EscapeHtml;
}

function renderShell({ tag, direction, title, noScript, form, settings, files, escapeHtml }: ShellOptions): string {
  const styles = files.styleUrls.map((url) => `<link rel="stylesheet" href="${escapeHtml(url)}">`);
  const preloads = files.preloadUrls(tag).map((url) => `<link rel="modulepreload" href="${escapeHtml(url)}">`);
  return `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="${SETTINGS_META_NAME}" content="${escapeHtml(JSON.stringify(settings))}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(settings.faviconUrl ?? settings.logoUrl)}">
${[...styles, ...preloads].join('\n')}
<link rel="expect" href="#main" blocking="render">
<script type="module" src="${escapeHtml(files.scriptUrl)}"></script>
</head>
<body data-poolgate${getPage(settings.page).isWide ? ' data-wide' : ''}>
<main id="main">${form}<p data-part="no-script">${escapeHtml(noScript)}</p></main>
</body>
</html>
`;
}

/** @deprecated Use {@link PageRequestState}. */
export type { PageRequestState as PageFacts } from './page-table.ts';
/** @deprecated Use {@link getPage}. */
export { getPage as pageNamed } from './page-table.ts';
