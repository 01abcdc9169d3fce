import type { MessageKind, MessageSettings, MessageTemplate } from '../store/pool-and-client-settings.ts';
import {
  hasLinkPlaceholder,
  PLACEHOLDER_KINDS,
  removePlaceholderParagraphs,
  toSingleLine,
} from './template-placeholders.ts';

const SMS_LENGTH = { least: 6, most: 140 };

/**
 * Validates the message texts of a pool.
 * @throws {RangeError} a text lacks the placeholder of the code, has one although there is no code, or is too short or too long
 */
export function checkMessageSettings({ language, templates }: MessageSettings): void {
  if (!isLanguageTag(language)) throw new RangeError('messages.language must be a language tag in lower case');
  for (const [tag, kinds] of Object.entries(templates)) {
    if (!isLanguageTag(tag))
      throw new RangeError(`messages.templates.${tag} must be named by a language tag in lower case`);
    for (const [kind, template] of Object.entries(kinds))
      checkTemplate(`messages.templates.${tag}.${kind}`, kind, template);
  }
}

function isLanguageTag(text: string): boolean {
  return /^[a-z]{2,8}(-[a-z\d]{1,8})*$/.test(text);
}

function isMessageKind(text: string): text is MessageKind {
  return Object.hasOwn(PLACEHOLDER_KINDS, text);
}

/** Notices are emails, so their SMS texts need no placeholder. */
const REQUIRED_PLACEHOLDERS = {
  code: { bodies: true, sms: true },
  password: { bodies: true, sms: true },
  link: { bodies: true, sms: false },
  linked_words: { bodies: false, sms: false },
  nothing: { bodies: false, sms: false },
} as const;

function checkTemplate(name: string, kind: string, template: Partial<MessageTemplate>): void {
  if (!isMessageKind(kind)) throw new RangeError(`${name} is no kind of message`);
  const { subject, sms, text, html } = template;
  const holds = REQUIRED_PLACEHOLDERS[PLACEHOLDER_KINDS[kind]];
  checkPlaceholder(`${name}.text`, text, holds.bodies);
  checkPlaceholder(`${name}.html`, html, holds.bodies);
  checkPlaceholder(`${name}.sms`, sms, holds.sms);
  if (
    PLACEHOLDER_KINDS[kind] === 'linked_words' &&
    [text, html].some((body) => body !== undefined && !hasLinkPlaceholder(body))
  ) {
    throw new RangeError(`${name} must hold {##words##}`);
  }
  if (PLACEHOLDER_KINDS[kind] === 'link' && text !== undefined && removePlaceholderParagraphs(text).trim() === '') {
    throw new RangeError(`${name}.text must hold {####} in a separate paragraph`);
  }
  if (subject !== undefined && (subject === '' || subject !== toSingleLine(subject))) {
    throw new RangeError(`${name}.subject must be one line`);
  }
  const smsLength = sms === undefined ? SMS_LENGTH.least : Array.from(sms).length;
  if (smsLength < SMS_LENGTH.least || smsLength > SMS_LENGTH.most) {
    throw new RangeError(`${name}.sms must have ${SMS_LENGTH.least} to ${SMS_LENGTH.most} characters`);
  }
}

function checkPlaceholder(name: string, text: string | undefined, isNeeded: boolean): void {
  if (text === undefined || text.includes('{####}') === isNeeded) return;
  throw new RangeError(`${name} must ${isNeeded ? '' : 'not '}hold {####}`);
}
