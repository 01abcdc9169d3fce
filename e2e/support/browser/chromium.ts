import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The environment variable with the browser's path for the tests. */
export const CHROMIUM_VARIABLE = 'POOLGATE_TEST_CHROMIUM';

const folder = fileURLToPath(new URL('../../../tmp/', import.meta.url));
const program = fileURLToPath(new URL('extract-chromium.ts', import.meta.url));
const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'));

/** The packed one names missing folders, and the browser ends if a text has no font. */
const FONTS = '<?xml version="1.0"?><fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n';

/**
 * Returns the path of a Chromium for the tests, unpacked once for each version of its package. Its libraries and fonts are next to it.
 * Concurrent runs do not disturb each other, because a whole folder appears at once.
 */
export async function extractChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string };
  const place = join(folder, `chromium-${version}`);
  const path = join(place, 'chromium');
  if (await isExistingFile(path)) return path;
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(`${place}-`);
  try {
    await promisify(execFile)(process.execPath, [program], { env: { ...process.env, TMPDIR: unfinished } });
    await writeFile(join(unfinished, 'fonts', 'fonts.conf'), FONTS);
    // The next test run may use another user.
    await Promise.all([chmod(unfinished, 0o755), chmod(join(unfinished, 'chromium'), 0o755)]);
    await rename(unfinished, place).catch(async (error: unknown) => {
      if (!(await isExistingFile(path))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return path;
}

async function isExistingFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
