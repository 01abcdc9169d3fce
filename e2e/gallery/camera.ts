import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as playwright from 'playwright-core';
import { FIRST_STATES } from './first-states.ts';
import { SCENES, VIEWS, type ViewName } from './scenes.ts';

/** The appearance of a picture. */
interface Look {
  readonly width: number;
  readonly height?: number;
  readonly scheme: 'light' | 'dark';
  /** In Arabic, from right to left. */
  readonly isRtl?: boolean;
}

const CARD: readonly Look[] = [
  { width: 512, scheme: 'light' },
  { width: 512, scheme: 'dark' },
  { width: 360, scheme: 'light' },
];
const WIDGET: readonly Look[] = [
  { width: 720, scheme: 'light' },
  { width: 720, scheme: 'dark' },
  { width: 360, scheme: 'dark' },
];
const PAGE: readonly Look[] = [
  { width: 1280, height: 800, scheme: 'light' },
  { width: 768, height: 800, scheme: 'dark' },
  { width: 360, height: 800, scheme: 'light' },
  { width: 360, height: 800, scheme: 'dark', isRtl: true },
];

/** The scale of pictures of complete pages. */
const PAGE_SCALE = 0.5;
const WIDGET_SCALE = 0.75;
const WEBP_QUALITY = 78;

/** Takes the pictures of a gallery into a folder. */
export interface Camera {
  /** Takes a picture of a component in the page's current state. @param within an element. Default: the complete page */
  scene(page: playwright.Page, name: string, within?: string): Promise<void>;
  /** Takes pictures of a page in the sizes of screens. @param inArabic opens it from right to left; absent: it is not shown */
  view(page: playwright.Page, name: ViewName, inArabic?: () => Promise<void>): Promise<void>;
  /** @throws a picture of the gallery is missing */
  finish(): void;
}

interface CameraOptions {
  /** `png` to look at, `webp` for the docs. */
  readonly format: 'png' | 'webp';
  readonly isWanted: (name: string) => boolean;
}

/** A camera that writes into a folder. */
export async function openCamera(
  browser: playwright.Browser,
  folder: string,
  { format, isWanted }: CameraOptions,
): Promise<Camera> {
  await mkdir(folder, { recursive: true });
  const table = await (await browser.newContext({ deviceScaleFactor: 1.5 })).newPage();
  const taken = new Set<string>();
  const keep = async (name: string, pictures: readonly Buffer[], looks: readonly Look[], scale: number) => {
    taken.add(name);
    const bytes = await sheet(table, { pictures, looks, scale, format });
    await writeFile(join(folder, `${name}.${format}`), bytes);
  };
  return {
    async scene(page, name, within) {
      taken.add(name);
      if (!isWanted(name)) return;
      const looks = within === undefined ? CARD : WIDGET;
      await keep(name, await eachLook(page, looks, within), looks, within === undefined ? 1 : WIDGET_SCALE);
    },
    async view(page, name, inArabic) {
      taken.add(name);
      if (!isWanted(name)) return;
      const looks = PAGE.filter(({ isRtl }) => isRtl !== true);
      const rtl = PAGE.filter(({ isRtl }) => isRtl === true && inArabic !== undefined);
      const pictures = [...(await eachLook(page, looks))];
      await inArabic?.();
      pictures.push(...(await eachLook(page, rtl)));
      await keep(name, pictures, [...looks, ...rtl], PAGE_SCALE);
    },
    finish() {
      const missing = [SCENES, FIRST_STATES, VIEWS].flatMap(Object.keys).filter((name) => !taken.has(name));
      if (missing.length > 0) throw new Error(`no picture was taken of ${missing.join(', ')}`);
    },
  };
}

async function eachLook(page: playwright.Page, looks: readonly Look[], within?: string): Promise<readonly Buffer[]> {
  const before = page.viewportSize();
  const pictures: Buffer[] = [];
  // Hovered elements look different.
  await page.mouse.move(0, 0);
  for (const { width, height, scheme } of looks) {
    await page.setViewportSize({ width, height: height ?? (within === undefined ? 480 : 900) });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    pictures.push(await photograph(page, within, height !== undefined));
  }
  if (before !== null) await page.setViewportSize(before);
  return pictures;
}

/** Makes the window as high as its content: otherwise a fixed background would be cut. */
async function fitHeight(page: playwright.Page): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  // The space above a card grows with the window.
  for (let turn = 0; turn < 3; turn++) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.max(height, 600) });
  }
}

async function photograph(page: playwright.Page, within: string | undefined, isScreen: boolean): Promise<Buffer> {
  const options = { animations: 'disabled', caret: 'hide' } as const;
  if (within !== undefined) return page.locator(within).first().screenshot(options);
  if (!isScreen) await fitHeight(page);
  return page.screenshot(options);
}

interface Sheet {
  readonly pictures: readonly Buffer[];
  readonly looks: readonly Look[];
  readonly scale: number;
  readonly format: 'png' | 'webp';
}

/** Pictures side by side, in one. */
async function sheet(page: playwright.Page, { pictures, looks, scale, format }: Sheet): Promise<Buffer> {
  const images = pictures.map(
    (png, at) =>
      `<img width="${(looks[at]?.width ?? 0) * scale}" src="data:image/png;base64,${png.toString('base64')}">`,
  );
  await page.setContent(
    `<style>body{margin:0;display:inline-flex;gap:12px;align-items:start;padding:12px;background:#9aa1ad}img{display:block;border-radius:6px}</style>${images.join('')}`,
  );
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const clip = await page.evaluate(() => {
    const { width, height } = document.body.getBoundingClientRect();
    return { x: 0, y: 0, width: Math.ceil(width), height: Math.ceil(height), scale: 1 };
  });
  await page.setViewportSize({ width: clip.width, height: clip.height });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    clip,
    captureBeyondViewport: true,
    ...(format === 'webp' ? { quality: WEBP_QUALITY } : {}),
  });
  await session.detach();
  return Buffer.from(data, 'base64');
}
