/** A text with `{name}` placeholders, or one form for each plural category (CLDR) of the value `count`. */
export type Message = string | PluralMessage;

/** Forms by `Intl.PluralRules` category. `zero` is also used for the number 0 in languages without this category. */
export type PluralMessage = { readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & {
  readonly other: string;
};

/** The values of a message by name. Numbers are formatted for the language. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * Formats a message as text.
 * @param language a BCP 47 tag
 */
export function formatMessage(message: Message, values: Values, language: string): string {
  const pattern =
    typeof message === 'string' ? message : selectPluralForm(message, Number(values.count ?? 0), language);
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
  });
}

function selectPluralForm(message: PluralMessage, count: number, language: string): string {
  if (count === 0 && message.zero !== undefined) return message.zero;
  return message[new Intl.PluralRules(language).select(count)] ?? message.other;
}

/** Formats a date and time for the language. */
export function formatDate(iso: string, language: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
