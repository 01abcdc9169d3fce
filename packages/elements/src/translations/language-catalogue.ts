/**
 * The texts of pages and elements, with a file for each language. English is the model: the types reject a language that lacks a text.
 * Other languages load on demand.
 */
import { EN } from './en.ts';
import type { Language, MessageId, Messages } from './languages.ts';
import { formatDate, formatMessage, type Values } from './message.ts';

const ENGLISH: Language = {
  tag: 'en',
  name: 'English',
  direction: 'ltr',
  load: () => Promise.resolve({ messages: EN }),
};

/** The available languages. The first one is the fallback. */
const languages: Language[] = [
  ENGLISH,
  { tag: 'de', name: 'Deutsch', direction: 'ltr', load: () => import('./de.ts') },
  { tag: 'es', name: 'Español', direction: 'ltr', load: () => import('./es.ts') },
  { tag: 'fr', name: 'Français', direction: 'ltr', load: () => import('./fr.ts') },
  { tag: 'ja', name: '日本語', direction: 'ltr', load: () => import('./ja.ts') },
  { tag: 'ar', name: 'العربية', direction: 'rtl', load: () => import('./ar.ts') },
];

/** Every available language. */
export const allLanguages = (): readonly Language[] => languages;

/** Adds a language, or replaces the one with the same tag. Call it before the first element is created. */
export function addLanguage(language: Language): void {
  const at = languages.findIndex(({ tag }) => isSameTag(tag, language.tag));
  if (at < 0) languages.push(language);
  else languages[at] = language;
}

/**
 * Selects the best language: for each wanted tag in turn the same tag, else the same primary language; else English.
 * @param wanted BCP 47 tags, best first
 */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found =
      languages.find((each) => isSameTag(each.tag, tag)) ??
      languages.find((each) => isSameTag(takeMainSubtag(each.tag), takeMainSubtag(tag)));
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

const isSameTag = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const takeMainSubtag = (tag: string): string => tag.split('-')[0] ?? tag;

/** An element's texts in one language. */
export interface Translation {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** The text of a message. */
  text(id: MessageId, values?: Values): string;
  /** Formats a time from ISO 8601. */
  date(iso: string): string;
}

/** English, with the integrator's texts first. */
export const createEnglishTranslation = (own: Partial<Messages> = {}): Translation =>
  createTranslation(ENGLISH, {}, own);

/** Loads a language, or falls back to English if its file cannot be loaded. */
export async function loadTranslation(language: Language, own: Partial<Messages> = {}): Promise<Translation> {
  try {
    const { messages } = await language.load();
    return createTranslation(language, messages, own);
  } catch {
    return createEnglishTranslation(own);
  }
}

function createTranslation(
  { tag, direction }: Language,
  messages: Partial<Messages>,
  own: Partial<Messages>,
): Translation {
  return {
    language: tag,
    direction,
    text: (id, values = {}) => formatMessage(own[id] ?? messages[id] ?? EN[id], values, tag),
    date: (iso) => formatDate(iso, tag),
  };
}
