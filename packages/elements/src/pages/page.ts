/**
 * The script of every page: what must be there at once. A form that the service has drawn can be used from here on; what makes it work
 * follows in tasks of its own.
 */
import { readChosenLanguage, saveChosenLanguage } from './chosen-language.ts';
import { DeferredPress } from './deferred-press.ts';

const { lang } = document.documentElement;
const chosen = readChosenLanguage();
const main = document.getElementById('main');
const noScript = main?.querySelector('[data-part=no-script]');
const drawn = findDrawnForm(chosen ?? lang);
const presses = drawn === null ? undefined : new DeferredPress(drawn);

try {
  if (drawn !== null) noScript?.remove();
  if (drawn !== null) await waitForPaint();
  const { showPage: show } = await import('./show-page.ts');
  await show({ drawn, chosen, choose: saveChosenLanguage });
  presses?.release();
} catch (error) {
  // Without its element a form does nothing, and it is better to say so.
  if (noScript) main?.append(noScript);
  throw error;
}

/** Who has chosen another language than the browser asks for sees nothing of that one. */
function findDrawnForm(language: string): HTMLElement | null {
  const form = document.querySelector<HTMLElement>('[data-drawn]');
  if (language === lang) return form;
  form?.remove();
  return null;
}

/** What stands in the page is drawn before anything else is done. A page that nobody sees is not drawn, and not waited for. */
function waitForPaint(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
