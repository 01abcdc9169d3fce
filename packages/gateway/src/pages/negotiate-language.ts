/** A preference in an `Accept-Language` header: a language and its weight. */
const PREFERENCE = /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]{1,32})?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;
const MAX_PREFERENCES = 20;

/**
 * Selects the most preferred available language, or the first one if none matches.
 * @see RFC 9110 §12.5.4
 */
export function negotiateLanguage<const Language extends string>(
  acceptLanguage: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  const preferences = (acceptLanguage ?? '').split(',', MAX_PREFERENCES).flatMap((text) => {
    const [, name = '', quality = '1'] = PREFERENCE.exec(text) ?? [];
    const language = languages.find((each) => each === name.toLowerCase());
    return language === undefined || Number(quality) === 0 ? [] : [{ language, quality: Number(quality) }];
  });
  return preferences.toSorted((a, b) => b.quality - a.quality)[0]?.language ?? languages[0];
}

/** Lists the languages of a table of texts by BCP 47 tag. English comes first as the fallback. */
export function listLanguages<Texts extends { readonly en: unknown }>(
  texts: Texts,
): readonly ['en', ...(keyof Texts & string)[]] {
  return ['en', ...(Object.keys(texts) as (keyof Texts & string)[])];
}

const RIGHT_TO_LEFT: ReadonlySet<string | undefined> = new Set(['Arab', 'Hebr']);

/** The `lang` and `dir` attributes of a page, as HTML. */
export function renderLanguageAttributes(language: string): string {
  const isReversed = RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script);
  return `lang="${language}"${isReversed ? ' dir="rtl"' : ''}`;
}
