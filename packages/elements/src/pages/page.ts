/**
 * The script of every page: what must be there at once. A form that the service has drawn can be used from here on; what makes it work
 * follows in tasks of its own.
 */
import { chooseLanguage, chosenLanguage } from './chosen-language.ts';
import { HeldPresses } from './held-presses.ts';

const { lang } = document.documentElement;
const chosen = chosenLanguage();
const main = document.getElementById('main');
const noScript = main?.querySelector('[data-part=no-script]');
const drawn = formIn(chosen ?? lang);
const presses = drawn === null ? undefined : new HeldPresses(drawn);

try {
  if (drawn !== null) noScript?.remove();
  if (drawn !== null) await drawing();
  const { show } = await import('./show.ts');
  await show({ drawn, chosen, choose: chooseLanguage });
  presses?.release();
} catch (error) {
  // Without its element a form does nothing, and it is better to say so.
  if (noScript) main?.append(noScript);
  throw error;
}

/** Who has chosen another language than the browser asks for sees nothing of that one. */
function formIn(language: string): HTMLElement | null {
  const form = document.querySelector<HTMLElement>('[data-drawn]');
  if (language === lang) return form;
  form?.remove();
  return null;
}

/** What stands in the page is drawn before anything else is done. A page that nobody sees is not drawn, and not waited for. */
function drawing(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
