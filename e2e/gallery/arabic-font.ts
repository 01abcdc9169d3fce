import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FONT = 'noto-sans-arabic';
/** SIL Open Font License 1.1. */
const PACKAGE = `@fontsource/${FONT}@5.3.0`;
const folder = fileURLToPath(new URL('../../tmp/', import.meta.url));
const run = promisify(execFile);

/**
 * Returns a script that gives a page an Arabic typeface, because the tests' browser has none. npm downloads the typeface once, and it is
 * kept below `tmp/`. @throws npm cannot download it
 */
export async function arabicFontScript(): Promise<string> {
  const place = join(folder, `${FONT}-5.3.0`);
  if ((await stat(place).catch(() => undefined)) === undefined) await fetchTo(place);
  const faces = await Promise.all(
    [400, 700].map(async (weight) => {
      const file = join(place, 'package', 'files', `${FONT}-arabic-${weight}-normal.woff2`);
      const base64 = await readFile(file, 'base64');
      return `document.fonts.add(new FontFace('Noto Sans Arabic', Uint8Array.from(atob('${base64}'), (each) => each.charCodeAt(0)), { weight: '${weight}' }));`;
    }),
  );
  return [...faces, USED].join('\n');
}

/** The system's typeface has no Arabic letters here, so this one is added to it. */
const USED = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('[data-poolgate] { --pg-font: system-ui, "Noto Sans Arabic", sans-serif; }');
  document.adoptedStyleSheets.push(sheet);
}`;

async function fetchTo(place: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(`${place}-`);
  try {
    const { stdout } = await run('npm', ['pack', PACKAGE, '--silent'], { cwd: unfinished });
    await run('tar', ['xzf', stdout.trim()], { cwd: unfinished });
    await rename(unfinished, place);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
