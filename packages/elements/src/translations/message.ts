/** A text with `{name}` for what is filled in; or one form for each plural category (CLDR) of the value `count`. */
export type Message = string | PluralMessage;

/** Forms by `Intl.PluralRules` category. `zero` is also taken for the number 0 where a language has no such category. */
export type PluralMessage = { readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & {
  readonly other: string;
};

/** What is filled into a message, by name. Numbers are written as the language writes them. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * A message as text.
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

/** A moment as a date and time of the language. */
export function formatDate(iso: string, language: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
