/** The texts of the console, with a file for each language. The types reject a language that lacks a text. */
import { formatDate, formatMessage, type Values } from '@poolgate/elements/messages';
import type { TextId, Texts } from './texts.ts';

/** A language of the console. */
export interface ConsoleLanguage {
  /** BCP 47. */
  readonly tag: string;
  /** Its name in the language itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  readonly load: () => Promise<{ readonly messages: Texts }>;
}

/** Every language. The first one is the fallback. */
export const LANGUAGES: readonly ConsoleLanguage[] = [
  { tag: 'en', name: 'English', direction: 'ltr', load: () => import('./en.ts') },
  { tag: 'de', name: 'Deutsch', direction: 'ltr', load: () => import('./de.ts') },
  { tag: 'es', name: 'Español', direction: 'ltr', load: () => import('./es.ts') },
  { tag: 'fr', name: 'Français', direction: 'ltr', load: () => import('./fr.ts') },
  { tag: 'ja', name: '日本語', direction: 'ltr', load: () => import('./ja.ts') },
  { tag: 'ar', name: 'العربية', direction: 'rtl', load: () => import('./ar.ts') },
];

/** The texts in one language. */
export interface Translation {
  readonly language: ConsoleLanguage;
  text(id: TextId, values?: Values): string;
  has(id: string): id is TextId;
  /** A moment, from ISO 8601; empty for null. */
  date(iso: string | null | undefined): string;
}

/** Selects a language by its tag; the first one if there is none. */
export function findLanguage(tag: string): ConsoleLanguage {
  const [first] = LANGUAGES;
  if (first === undefined) throw new TypeError('the console has no language');
  return LANGUAGES.find((language) => language.tag === tag) ?? first;
}

/** Loads a language. */
export async function loadTranslation(language: ConsoleLanguage): Promise<Translation> {
  const { messages } = await language.load();
  return {
    language,
    text: (id, values = {}) => formatMessage(messages[id], values, language.tag),
    has: (id): id is TextId => Object.hasOwn(messages, id),
    date: (iso) => (iso === null || iso === undefined ? '' : formatDate(iso, language.tag)),
  };
}
