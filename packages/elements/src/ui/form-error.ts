import { type ClientErrorCode, PoolgateError } from '@poolgate/client';
import type { MessageId } from '../translations/languages.ts';
import type { Values } from '../translations/message.ts';

/** A text that is chosen now and translated when it is shown. */
export interface LocalizedText {
  readonly id: MessageId;
  /** Shown if this id has no message, because a newer service may return an unknown code. */
  readonly fallback?: MessageId;
  readonly values?: Values;
}

/** How an error is shown: a text above the form, texts at fields, or both. */
export interface FormError {
  readonly alert: LocalizedText | undefined;
  readonly fields: ReadonlyMap<string, LocalizedText>;
  /** Identifies the request in the service's log, if only the operator can help. */
  readonly reference: string | undefined;
}

const LOCAL_ERROR_MESSAGES: Partial<Record<ClientErrorCode, MessageId>> = {
  network_error: 'error.network',
  unexpected_answer: 'error.unknown',
};

/** Form fields with the current password. */
const PASSWORD_FIELDS: readonly string[] = ['password', 'current'];

/** Errors about one field, if the form has it. */
const ERROR_FIELDS: Partial<Record<ClientErrorCode, readonly string[]>> = {
  code_mismatch: ['code'],
  code_expired: ['code'],
  user_exists: ['email'],
};

const SECONDS_IN_WORDS = 90;

/**
 * Converts an error to the user's messages. The service's own text is never shown; its code and its fields' codes have messages here.
 * @param has whether the form has a field of this name
 */
export function toFormError(error: PoolgateError, has: (field: string) => boolean): FormError {
  const fields = new Map<string, LocalizedText>();
  for (const { field, code } of error.fieldErrors) {
    const last = field.split('.').at(-1) ?? '';
    const name = [field, last, ...(FIELD_ALIASES[last] ?? [])].find(has);
    if (name !== undefined && !fields.has(name)) fields.set(name, toFieldText(name, code));
  }
  const about = ERROR_FIELDS[error.code]?.find(has);
  const text = toErrorText(error, has);
  if (about !== undefined) fields.set(about, text);
  const reference = error.status >= 500 ? error.requestId : undefined;
  return { alert: fields.size > 0 ? undefined : text, fields, reference };
}

/** Request members, with their names in forms. */
const FIELD_ALIASES: Readonly<Record<string, readonly string[]>> = {
  password: ['newPassword'],
  new_password: ['newPassword', 'password'],
  password_verifier: ['newPassword', 'password'],
  challenge_value: ['newPassword', 'code'],
  username: ['email'],
  email: ['username'],
  phone_number: ['phone'],
  device_name: ['name'],
};

/** The message of a code that the service gives to a field. */
function toFieldText(field: string, code: string): LocalizedText {
  const fallback = /password/i.test(field) ? 'field.password' : field === 'email' ? 'field.email' : 'field.invalid';
  return { id: `field.${code}` as MessageId, fallback };
}

/** Returns the message of an error's code, for a form with these fields. */
function toErrorText(
  { code, retryAfterSeconds, reason, address }: PoolgateError,
  has: (field: string) => boolean,
): LocalizedText {
  if (address !== undefined)
    return { id: 'error.wrongAddress', values: { opened: address.opened, baseUrl: address.baseUrl } };
  if (reason === 'cookies_missing') return { id: 'error.cookiesMissing' };
  if (code === 'too_many_requests' && retryAfterSeconds !== undefined) return createWaitText(retryAfterSeconds);
  // If the form does not ask for a username, the username cannot be wrong.
  if (code === 'invalid_credentials' && !has('username') && PASSWORD_FIELDS.some(has))
    return { id: 'common.wrongPassword' };
  const local = LOCAL_ERROR_MESSAGES[code];
  if (local !== undefined) return { id: local };
  return { id: `error.${code}` as MessageId, fallback: 'error.unknown' };
}

/** How long to wait before another attempt. */
export function createWaitText(seconds: number): LocalizedText {
  return seconds <= SECONDS_IN_WORDS
    ? { id: 'error.waitSeconds', values: { count: Math.max(1, Math.ceil(seconds)) } }
    : { id: 'error.waitMinutes', values: { count: Math.ceil(seconds / 60) } };
}

const CODE_ERRORS: ReadonlySet<string> = new Set(['code_expired', 'code_mismatch', 'invalid_session']);

/** Whether the code or link was refused, and not the proof: it was used in another tab, or has expired. */
export function isCodeError(error: unknown): error is PoolgateError {
  return error instanceof PoolgateError && CODE_ERRORS.has(error.code);
}
