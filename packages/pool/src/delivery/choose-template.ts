import { hasLinkPlaceholder, PLACEHOLDER_KINDS } from '../settings/template-placeholders.ts';
import type { MessageKind, MessageSettings, MessageTemplate, PoolSettings } from '../store/pool-and-client-settings.ts';
import { readCognitoTemplates } from './cognito-templates.ts';
import { isHtml, toPlainText } from './html-text.ts';
import { FALLBACK_LANGUAGE, FALLBACK_TAG, LANGUAGES } from './languages/index.ts';
import type { MessageOverride } from './message-override.ts';

/** The facts that select a message template. */
export interface TemplateRequest {
  readonly kind: MessageKind;
  /** The user's `locale` attribute; undefined if unknown. */
  readonly locale: string | undefined;
  /** Texts that replace all others. */
  readonly override?: MessageOverride | undefined;
}

/** The settings that contain a pool's own texts. */
export type MessageTextSettings = Pick<PoolSettings, 'kept' | 'messages'>;

/** The texts of a message with their placeholders. */
export interface ChosenTemplate extends MessageTemplate {
  /** The language of the text (BCP 47); undefined if unknown. */
  readonly language: string | undefined;
}

/** Chooses each text of a message: the override for this message, else the pool's own text, else the built-in one. */
export function chooseTemplate(
  { messages, kept }: MessageTextSettings,
  { kind, locale, override = {} }: TemplateRequest,
): ChosenTemplate {
  const tag = listLanguageTags(messages, locale).find((candidate) => hasTemplate(messages, candidate)) ?? '';
  const builtIn = (LANGUAGES[toPrimaryTag(tag)] ?? FALLBACK_LANGUAGE)[kind];
  const own = messages?.templates[tag]?.[kind] ?? {};
  const texts = [selectUsableTexts(readCognitoTemplates(kept, kind), kind), own, selectUsableTexts(override, kind)];
  const template = texts.reduce(overrideTemplate, builtIn);
  const isOfLanguage = template.text === (own.text ?? builtIn.text);
  return { ...template, language: isOfLanguage ? tag || FALLBACK_TAG : undefined };
}

/** HTML belongs to the text that it was written for. */
function overrideTemplate(below: MessageTemplate, above: Partial<MessageTemplate>): MessageTemplate {
  const { html, ...rest } = below;
  return { ...(above.text === undefined ? below : rest), ...above };
}

/** Selects the usable texts of Cognito's settings. A text without the placeholder that its reader needs is skipped. */
function selectUsableTexts({ emailSubject, emailMessage, smsMessage }: MessageOverride, kind: MessageKind) {
  const isLinked = PLACEHOLDER_KINDS[kind] === 'linked_words';
  const isUsable = (text: string | undefined): text is string =>
    text !== undefined &&
    (PLACEHOLDER_KINDS[kind] === 'nothing' || text.includes('{####}') || (isLinked && hasLinkPlaceholder(text)));
  return {
    ...(emailSubject ? { subject: emailSubject } : {}),
    ...(isUsable(smsMessage) ? { sms: smsMessage } : {}),
    ...(isUsable(emailMessage) ? toMailBody(emailMessage) : {}),
  };
}

/** Cognito treats the text of an email as HTML. */
function toMailBody(message: string): Pick<MessageTemplate, 'html' | 'text'> {
  return isHtml(message) ? { html: message, text: toPlainText(message) } : { text: message };
}

/** From most to least preferred. OpenID Connect also allows `_` in a locale. */
function listLanguageTags(settings: MessageSettings | undefined, locale: string | undefined): readonly string[] {
  const wanted = [locale, settings?.language]
    .filter((tag) => tag !== undefined)
    .map((tag) => tag.replaceAll('_', '-').toLowerCase());
  return wanted.flatMap((tag) => [tag, toPrimaryTag(tag)]);
}

function toPrimaryTag(tag: string): string {
  return tag.split('-')[0] ?? '';
}

function hasTemplate(settings: MessageSettings | undefined, tag: string): boolean {
  return Object.hasOwn(settings?.templates ?? {}, tag) || Object.hasOwn(LANGUAGES, tag);
}
