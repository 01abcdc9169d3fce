import type { MessageKind } from '../store/pool-and-client-settings.ts';

/** The content of each kind of message: `{####}` for the first three, `{##words##}` for `linked_words`. */
export const PLACEHOLDER_KINDS: Readonly<
  Record<MessageKind, 'code' | 'password' | 'link' | 'linked_words' | 'nothing'>
> = {
  sign_up: 'code',
  sign_up_link: 'linked_words',
  invitation: 'password',
  mfa: 'code',
  first_factor: 'code',
  forgot_password: 'code',
  verify_contact: 'code',
  sign_up_known: 'nothing',
  proofs_removed: 'nothing',
  new_device: 'link',
  password_changed: 'link',
  factor_changed: 'link',
  contact_changed: 'link',
  deletion_scheduled: 'link',
  codes_guessed: 'link',
};

const LINKED_WORDS = /\{##[^{}]+##\}/;

/** Whether a template has words with a link. `{####}` is not one; it is the placeholder of a code. */
export function hasLinkPlaceholder(template: string): boolean {
  return LINKED_WORDS.test(template);
}

/** The values for a template. */
export interface PlaceholderValues {
  readonly username: string;
  readonly code: string;
  /** The changes; undefined: `{change}` is not a placeholder. */
  readonly change?: string | undefined;
  /** Returns the link for the words in the template. */
  readonly linked: (words: string) => string;
}

const PLACE = /\{(?:(####)|(username)|(change)|##([^{}]+)##)\}/g;

/** Fills a template in a single pass, so a value that looks like a placeholder is not replaced. */
export function fillPlaceholders(template: string, { username, code, change, linked }: PlaceholderValues): string {
  return template.replace(PLACE, (place, isCode?: string, isName?: string, isChange?: string, words = '') => {
    if (isCode !== undefined) return code;
    if (isChange !== undefined) return change ?? place;
    return isName === undefined ? linked(words) : username;
  });
}

/** Removes the paragraphs that contain `{####}`. */
export function removePlaceholderParagraphs(text: string): string {
  const paragraphs = text.split(/\n{2,}/);
  return paragraphs.filter((paragraph) => !paragraph.includes('{####}')).join('\n\n');
}

/** Removes line ends and other control characters. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
