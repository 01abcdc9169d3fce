import { SrpError } from './srp-error.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let cognitoPattern: RegExp | undefined;

/** Created on first use. Client bundles only write timestamps and leave it out. */
function getCognitoPattern(): RegExp {
  cognitoPattern ??= new RegExp(
    `^(?:${WEEKDAYS.join('|')}) (${MONTHS.join('|')}) ([1-9]|[12]\\d|3[01]) ` +
      '([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d) UTC ([1-9]\\d{3})$',
  );
  return cognitoPattern;
}

const ISO_FORM =
  /^([1-9]\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Formats `TIMESTAMP` as Cognito expects it: in English and UTC, the day without a leading zero, as in `Tue May 7 00:09:40 UTC 2025`.
 * Fractions of a second are dropped.
 * @param ms milliseconds since 1970-01-01T00:00:00Z
 * @throws {RangeError} `ms` is outside the years 1000 to 9999
 */
export function formatTimestamp(ms: number): string {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  if (!(year >= 1000 && year <= 9999)) throw new RangeError('ms must be a moment of the years 1000 to 9999');
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(formatTwoDigits).join(':');
  return `${WEEKDAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()} ${time} UTC ${year}`;
}

/**
 * Parses Cognito's format into milliseconds since 1970. The date must exist, but its weekday need not match. The caller decides how old a
 * timestamp may be.
 * @throws {SrpError} `malformed_timestamp`
 */
export function parseTimestamp(text: string): number {
  const [, month, day, hour, minute, second, year] = matchTimestamp(getCognitoPattern(), text);
  requireDay(Number(year), MONTHS.indexOf(month as string), Number(day));
  return Date.UTC(
    Number(year),
    MONTHS.indexOf(month as string),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

/**
 * Parses an ISO 8601 date and time with a zone (RFC 3339) into milliseconds since 1970. Some clients send this format if the server signs
 * for them.
 * @throws {SrpError} `malformed_timestamp`
 */
export function parseIsoTimestamp(text: string): number {
  const [, year, month, day] = matchTimestamp(ISO_FORM, text);
  requireDay(Number(year), Number(month) - 1, Number(day));
  return Date.parse(text);
}

function matchTimestamp(form: RegExp, text: string): RegExpExecArray {
  const found = typeof text === 'string' ? form.exec(text) : null;
  if (!found) throw new SrpError('malformed_timestamp', 'TIMESTAMP');
  return found;
}

/** `Date` would turn 30 February into a day in March. */
function requireDay(year: number, month: number, day: number): void {
  if (day > new Date(Date.UTC(year, month + 1, 0)).getUTCDate()) throw new SrpError('malformed_timestamp', 'TIMESTAMP');
}

function formatTwoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
