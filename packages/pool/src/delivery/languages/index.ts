/**
 * The pool's own message texts in each language, and which language a user gets.
 */
import { de } from './de.ts';
import { en } from './en.ts';
import type { Language } from './message-language.ts';

/** The built-in languages by their primary tag (BCP 47), in lower case. */
export const LANGUAGES: Readonly<Record<string, Language>> = { de, en };

/** What is said where neither the user's language nor the pool's is known. */
export const FALLBACK_LANGUAGE: Language = en;

/** What it is called. */
export const FALLBACK_TAG = 'en';
