import { EN } from '../translations/en.ts';
import { allLanguages, createTranslation, type Translation } from '../translations/language-catalogue.ts';

/** English without loading it first. */
export function createEnglishTranslation(): Translation {
  const [english] = allLanguages();
  if (english === undefined) throw new RangeError('there is no language');
  return createTranslation(english, EN);
}
