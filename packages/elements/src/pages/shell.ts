import { allLanguages, loadSpeech } from '../words/catalogue.ts';
import { type PageFacts, type PageSettings, pageNamed, SETTINGS_NAME } from './names.ts';

export { PAGES, type PageFacts, type PagePart, type PagePath, type PageSettings, pageNamed } from './names.ts';

/** A page in one language: a shell without content, which its script fills. */
export interface Shell {
  /** BCP 47. */
  readonly language: string;
  /** With what is known when it is asked for. */
  html(known: PageFacts): string;
}

/** Where the files of a page lie. */
export interface ShellFiles {
  readonly scriptUrl: string;
  readonly styleUrls: readonly string[];
  /** What the script needs next, the file of a language too: loaded at once instead of one after the other. */
  preloadUrls(language: string): readonly string[];
}

/** A page in every language; the first is for whoever speaks none of them. */
export async function pageShells(settings: PageSettings, files: ShellFiles): Promise<readonly Shell[]> {
  return Promise.all(
    allLanguages().map(async (language) => {
      const { tag, direction } = language;
      const { say } = await loadSpeech(language);
      const title = `${say(pageNamed(settings.page).title)} · ${settings.appName}`;
      const parts = { tag, direction, title, noScript: say('page.script'), files };
      return { language: tag, html: (known) => shellHtml({ ...parts, settings: { ...settings, ...known } }) };
    }),
  );
}

interface ShellParts {
  readonly tag: string;
  readonly direction: string;
  readonly title: string;
  readonly noScript: string;
  readonly settings: PageSettings & PageFacts;
  readonly files: ShellFiles;
}

function shellHtml({ tag, direction, title, noScript, settings, files }: ShellParts): string {
  const styles = files.styleUrls.map((url) => `<link rel="stylesheet" href="${escaped(url)}">`);
  const preloads = files.preloadUrls(tag).map((url) => `<link rel="modulepreload" href="${escaped(url)}">`);
  return `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="${SETTINGS_NAME}" content="${escaped(JSON.stringify(settings))}">
<title>${escaped(title)}</title>
<link rel="icon" href="${escaped(settings.logoUrl)}">
${[...styles, ...preloads].join('\n')}
<script type="module" src="${escaped(files.scriptUrl)}"></script>
</head>
<body data-poolgate${pageNamed(settings.page).isWide ? ' data-wide' : ''}>
<main id="main"><p data-part="no-script">${escaped(noScript)}</p></main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in markup. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
