/** The built-in message texts in each language, and the choice of a user's language. */
import { de } from './de.ts';
import { en } from './en.ts';
import type { Language } from './message-language.ts';

/** The built-in languages by their primary tag (BCP 47), in lowercase. */
export const LANGUAGES: Readonly<Record<string, Language>> = { de, en };

/** Used if neither the user's nor the pool's language is known. */
export const FALLBACK_LANGUAGE: Language = en;

/** Its language tag. */
export const FALLBACK_TAG = 'en';
