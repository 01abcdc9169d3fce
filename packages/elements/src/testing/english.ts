import { ACCOUNT_EN } from '../translations/account-en.ts';
import { EN } from '../translations/en.ts';
import { FORMS_EN } from '../translations/forms-en.ts';
import { allLanguages, createTranslation, type Translation } from '../translations/language-catalogue.ts';

/** Every English text. */
export const ENGLISH_TEXTS = { ...EN, ...FORMS_EN, ...ACCOUNT_EN } as const;

/** English, already loaded. */
export function createEnglishTranslation(): Translation {
  const [english] = allLanguages();
  if (english === undefined) throw new RangeError('there is no language');
  return createTranslation(english, ENGLISH_TEXTS);
}
