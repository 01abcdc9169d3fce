/**
 * The texts of pages and elements. Each language has a file for the sign-in, and files that only other elements load. English is the model:
 * the types reject a language that lacks a text.
 */
import type { Language, MessageId, Messages, TextPart } from './languages.ts';
import { formatDate, formatMessage, type Values } from './message.ts';

const ENGLISH: Language = {
  tag: 'en',
  name: 'English',
  direction: 'ltr',
  load: () => import('./en.ts').then(({ EN }) => ({ messages: EN })),
  parts: {
    forms: () => import('./forms-en.ts').then(({ FORMS_EN }) => ({ messages: FORMS_EN })),
    account: () => import('./account-en.ts').then(({ ACCOUNT_EN }) => ({ messages: ACCOUNT_EN })),
  },
};

/** The available languages. The first one is the fallback. */
const languages: Language[] = [
  ENGLISH,
  {
    tag: 'de',
    name: 'Deutsch',
    direction: 'ltr',
    load: () => import('./de.ts'),
    parts: { forms: () => import('./forms-de.ts'), account: () => import('./account-de.ts') },
  },
  {
    tag: 'es',
    name: 'Español',
    direction: 'ltr',
    load: () => import('./es.ts'),
    parts: { forms: () => import('./forms-es.ts'), account: () => import('./account-es.ts') },
  },
  {
    tag: 'fr',
    name: 'Français',
    direction: 'ltr',
    load: () => import('./fr.ts'),
    parts: { forms: () => import('./forms-fr.ts'), account: () => import('./account-fr.ts') },
  },
  {
    tag: 'ja',
    name: '日本語',
    direction: 'ltr',
    load: () => import('./ja.ts'),
    parts: { forms: () => import('./forms-ja.ts'), account: () => import('./account-ja.ts') },
  },
  {
    tag: 'ar',
    name: 'العربية',
    direction: 'rtl',
    load: () => import('./ar.ts'),
    parts: { forms: () => import('./forms-ar.ts'), account: () => import('./account-ar.ts') },
  },
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
 * Loads a language, with the integrator's texts first, or falls back to English if its files cannot be loaded.
 * @param parts the texts to load in addition to those of a sign-in
 * @throws if English cannot be loaded either
 */
export async function loadTranslation(
  language: Language,
  own: Partial<Messages> = {},
  parts: readonly TextPart[] = [],
): Promise<Translation> {
  try {
    const [messages, english] = await Promise.all([
      loadMessages(language, parts),
      COMPLETE.has(language.load) ? undefined : loadMessages(ENGLISH, parts),
    ]);
    return createTranslation(language, { ...english, ...messages, ...own });
  } catch {
    return createTranslation(ENGLISH, { ...(await loadMessages(ENGLISH, parts)), ...own });
  }
}

async function loadMessages({ load, parts }: Language, names: readonly TextPart[]): Promise<Partial<Messages>> {
  const loaded = await Promise.all([...names.map((name) => parts?.[name]()), load()]);
  return Object.assign({}, ...loaded.map((part) => part?.messages)) as Partial<Messages>;
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
