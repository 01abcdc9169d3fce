import type { MessageKind, MessageSettings, MessageTemplate, PoolSettings } from '../settings.ts';
import { isHtml, textOfHtml } from './html-text.ts';
import { FALLBACK_LANGUAGE, FALLBACK_TAG, LANGUAGES } from './languages/index.ts';
import type { MessageOverride } from './message-override.ts';
import { hasLinkPlace, PLACEHOLDERS } from './placeholders.ts';
import { textsOfPool } from './pool-templates.ts';

/** What a message is chosen by. */
export interface TemplateRequest {
  readonly kind: MessageKind;
  /** The user's `locale` attribute; undefined where it is not known. */
  readonly locale: string | undefined;
  /** What is said instead of all other texts. */
  readonly override?: MessageOverride | undefined;
}

/** The settings that hold words of a pool. */
export type PoolWords = Pick<PoolSettings, 'kept' | 'messages'>;

/** The texts of a message with their places. */
export interface ChosenTemplate extends MessageTemplate {
  /** The language of the text (BCP 47); undefined where nobody said which it is. */
  readonly language: string | undefined;
}

/** Of each text what is given for the message alone, else the pool's own, else the built-in one. */
export function chooseTemplate(
  { messages, kept }: PoolWords,
  { kind, locale, override = {} }: TemplateRequest,
): ChosenTemplate {
  const tag = languageTags(messages, locale).find((candidate) => hasTemplate(messages, candidate)) ?? '';
  const builtIn = (LANGUAGES[primaryTag(tag)] ?? FALLBACK_LANGUAGE)[kind];
  const own = messages?.templates[tag]?.[kind] ?? {};
  const texts = [usableTexts(textsOfPool(kept, kind), kind), own, usableTexts(override, kind)];
  const template = texts.reduce(replaced, builtIn);
  const isOfLanguage = template.text === (own.text ?? builtIn.text);
  return { ...template, language: isOfLanguage ? tag || FALLBACK_TAG : undefined };
}

/** HTML belongs to the text that it was written for. */
function replaced(below: MessageTemplate, above: Partial<MessageTemplate>): MessageTemplate {
  const { html, ...rest } = below;
  return { ...(above.text === undefined ? below : rest), ...above };
}

/** What of Cognito's texts can be sent: a text without a place for what its reader needs would be of no use. */
function usableTexts({ emailSubject, emailMessage, smsMessage }: MessageOverride, kind: MessageKind) {
  const isLinked = PLACEHOLDERS[kind] === 'linked_words';
  const isUsable = (text: string | undefined): text is string =>
    text !== undefined &&
    (PLACEHOLDERS[kind] === 'nothing' || text.includes('{####}') || (isLinked && hasLinkPlace(text)));
  return {
    ...(emailSubject ? { subject: emailSubject } : {}),
    ...(isUsable(smsMessage) ? { sms: smsMessage } : {}),
    ...(isUsable(emailMessage) ? mailBody(emailMessage) : {}),
  };
}

/** Cognito takes the text of a mail for HTML. */
function mailBody(message: string): Pick<MessageTemplate, 'html' | 'text'> {
  return isHtml(message) ? { html: message, text: textOfHtml(message) } : { text: message };
}

/** From the most to the least wanted; OpenID Connect allows `_` in a locale too. */
function languageTags(settings: MessageSettings | undefined, locale: string | undefined): readonly string[] {
  const wanted = [locale, settings?.language]
    .filter((tag) => tag !== undefined)
    .map((tag) => tag.replaceAll('_', '-').toLowerCase());
  return wanted.flatMap((tag) => [tag, primaryTag(tag)]);
}

function primaryTag(tag: string): string {
  return tag.split('-')[0] ?? '';
}

function hasTemplate(settings: MessageSettings | undefined, tag: string): boolean {
  return Object.hasOwn(settings?.templates ?? {}, tag) || Object.hasOwn(LANGUAGES, tag);
}
