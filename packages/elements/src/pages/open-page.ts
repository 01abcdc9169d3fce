import { readChosenLanguage, saveChosenLanguage } from './chosen-language.ts';
import { DeferredPress } from './deferred-press.ts';
import { savedStep } from './saved-step.ts';
import type { showPage } from './show-page.ts';

/**
 * Opens a page. A server-rendered form is usable immediately; its scripts are loaded after it was painted.
 * @param load loads the rest of the page
 */
export async function openPage(load: () => Promise<{ readonly showPage: typeof showPage }>): Promise<void> {
  const { lang } = document.documentElement;
  const chosen = readChosenLanguage();
  const main = document.getElementById('main');
  const noScript = main?.querySelector('[data-part=no-script]');
  const drawn = findDrawnForm(chosen ?? lang);
  const presses = drawn === null ? undefined : new DeferredPress(drawn);
  try {
    if (drawn !== null) {
      noScript?.remove();
      await waitForPaint();
    }
    const { showPage: show } = await load();
    await show({ drawn, chosen, choose: saveChosenLanguage, savedStep });
    presses?.release();
  } catch (error) {
    // A form without its element does not work, so the page shows an error.
    if (noScript) main?.append(noScript);
    throw error;
  }
}

/** A chosen language replaces the one that the browser asks for, and a step that is resumed replaces the first form. */
function findDrawnForm(language: string): HTMLElement | null {
  const form = document.querySelector<HTMLElement>('[data-drawn]');
  if (language === document.documentElement.lang && savedStep.read() === undefined) return form;
  form?.remove();
  return null;
}

/** Waits until the existing content is painted. A hidden page is never painted, so it does not wait. */
function waitForPaint(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
