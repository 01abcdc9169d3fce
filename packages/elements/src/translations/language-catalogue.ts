/**
 * The texts of pages and elements, with a file for each language. English is the model: the types reject a language that lacks a text.
 * Other languages load on demand.
 */
import type { Language, MessageId, Messages } from './languages.ts';
import { formatDate, formatMessage, type Values } from './message.ts';

const ENGLISH: Language = {
  tag: 'en',
  name: 'English',
  direction: 'ltr',
  load: () => import('./en.ts').then(({ EN }) => ({ messages: EN })),
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

/** Languages with every message, which do not need English as a fallback. */
const COMPLETE: ReadonlySet<Language['load']> = new Set(languages.map(({ load }) => load));

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
  /** Whether there is such a message. */
  has(id: string): id is MessageId;
  /** A moment, from ISO 8601. */
  date(iso: string): string;
}

/**
 * Loads a language, with the integrator's texts first, or falls back to English if its file cannot be loaded.
 * @throws if English cannot be loaded either
 */
export async function loadTranslation(language: Language, own: Partial<Messages> = {}): Promise<Translation> {
  try {
    const [{ messages }, english] = await Promise.all([
      language.load(),
      COMPLETE.has(language.load) ? undefined : ENGLISH.load(),
    ]);
    return createTranslation(language, { ...english?.messages, ...messages, ...own });
  } catch {
    const { messages } = await ENGLISH.load();
    return createTranslation(ENGLISH, { ...messages, ...own });
  }
}

/** Creates a translation from loaded messages. */
export function createTranslation({ tag, direction }: Language, messages: Partial<Messages>): Translation {
  return {
    language: tag,
    direction,
    text: (id, values = {}) => formatMessage(messages[id] ?? '', values, tag),
    has: (id): id is MessageId => Object.hasOwn(messages, id),
    date: (iso) => formatDate(iso, tag),
  };
}

/** Texts are empty before a language is loaded. */
export const NO_TRANSLATION: Translation = createTranslation(ENGLISH, {});
