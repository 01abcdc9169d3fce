import type { AttributeSchema, PoolSettings } from '../store/pool-and-client-settings.ts';

const TEXT: AttributeSchema = { type: 'String', mutable: true, required: false, minLength: 0, maxLength: 2048 };
const BOOLEAN_TEXT: AttributeSchema = { type: 'Boolean', mutable: true, required: false };

/**
 * The standard attributes of every pool.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html
 */
export const STANDARD_ATTRIBUTES: Readonly<Record<string, AttributeSchema>> = {
  sub: { type: 'String', mutable: false, required: true, minLength: 1, maxLength: 2048 },
  address: TEXT,
  birthdate: { ...TEXT, minLength: 10, maxLength: 10 },
  email: TEXT,
  email_verified: BOOLEAN_TEXT,
  family_name: TEXT,
  gender: TEXT,
  given_name: TEXT,
  locale: TEXT,
  middle_name: TEXT,
  name: TEXT,
  nickname: TEXT,
  phone_number: TEXT,
  phone_number_verified: BOOLEAN_TEXT,
  picture: TEXT,
  preferred_username: TEXT,
  profile: TEXT,
  updated_at: { type: 'Number', mutable: true, required: false, minValue: 0 },
  website: TEXT,
  zoneinfo: TEXT,
};

/** Returns the constraints of an attribute in this pool; undefined if the pool does not have it. */
export function findAttributeSchema(
  { customAttributes, standardAttributes = {} }: Pick<PoolSettings, 'customAttributes' | 'standardAttributes'>,
  name: string,
): AttributeSchema | undefined {
  const known = [standardAttributes, STANDARD_ATTRIBUTES, customAttributes];
  return known.find((attributes) => Object.hasOwn(attributes, name))?.[name];
}

const MAIL_ATOM = "[A-Za-z0-9#$&'*+/=?^_`{|}~-]+";
const MAIL_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const MAIL = new RegExp(`^${MAIL_ATOM}(?:\\.${MAIL_ATOM})*@(?:${MAIL_LABEL}\\.)+${MAIL_LABEL}$`);
const PHONE = /^\+[1-9]\d{1,14}$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Whether a text is one plain email address as mail servers accept it (RFC 5321 `Dot-string@Domain`). Only ASCII is allowed, without
 * quoting, comments or display names. The old routing characters `%` and `!` are excluded, because they send a message to another
 * destination than it seems.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && text.indexOf('@') <= 64 && MAIL.test(text);
}

/** Whether a text is a phone number in E.164 format with its plus sign. */
export function isPhoneNumber(text: string): boolean {
  return PHONE.test(text);
}

/** Whether a text is an existing calendar date `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
