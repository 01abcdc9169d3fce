/** The page of the console in every language: a shell that its script fills. */

import { LANGUAGES, loadTranslation } from './translations/catalogue.ts';
import { type ConsoleSettings, SETTINGS_META_NAME } from './ui/page-settings.ts';

export type { ConsoleSettings } from './ui/page-settings.ts';

/** The URLs of the page's files. */
export interface ConsoleFiles {
  readonly scriptUrl: string;
  readonly styleUrls: readonly string[];
  readonly iconUrl: string;
  /** The files that the script needs next, including that of a language, to load them in parallel. */
  preloadUrls(language: string): readonly string[];
}

/** The page in one language. */
export interface ConsoleShell {
  /** BCP 47. */
  readonly language: string;
  html(): string;
}

/** Creates the page in every language. The first one is the fallback. */
export function createConsoleShells(
  settings: ConsoleSettings,
  files: ConsoleFiles,
  escapeHtml: (text: string) => string,
): Promise<readonly ConsoleShell[]> {
  return Promise.all(
    LANGUAGES.map(async (language) => {
      const { text } = await loadTranslation(language);
      const { tag, direction } = language;
      const links = [
        ...files.styleUrls.map((url) => `<link rel="stylesheet" href="${escapeHtml(url)}">`),
        ...files.preloadUrls(tag).map((url) => `<link rel="modulepreload" href="${escapeHtml(url)}">`),
      ];
      const page = `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="${SETTINGS_META_NAME}" content="${escapeHtml(JSON.stringify(settings))}">
<title>${escapeHtml(`${text('app.title')} · ${settings.appName}`)}</title>
<link rel="icon" href="${escapeHtml(files.iconUrl)}">
${links.join('\n')}
<script type="module" src="${escapeHtml(files.scriptUrl)}"></script>
</head>
<body data-poolgate>
<div id="console"><p data-part="no-script">${escapeHtml(text('app.script'))}</p></div>
</body>
</html>
`;
      return { language: tag, html: () => page };
    }),
  );
}
