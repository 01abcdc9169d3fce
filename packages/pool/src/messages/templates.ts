import type { Channel, Message } from '../context.ts';
import type { MessageKind, MessageSettings, MessageTemplate, PoolSettings } from '../settings.ts';
import { isHtml, textOfHtml } from './html-text.ts';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages/index.ts';
import type { MessageOverride } from './message-override.ts';
import { fill, hasLinkPlace, PLACEHOLDERS, type PlaceValues } from './placeholders.ts';
import { textsOfPool } from './pool-templates.ts';

/** What is put into a template. */
export interface TemplateValues {
  readonly kind: MessageKind;
  readonly channel: Channel;
  /** The user's `locale` attribute; undefined where it is not known. */
  readonly locale: string | undefined;
  /** The name that the user signs in with. */
  readonly username: string;
  /** What stands for `{####}`; empty where a notice has no link. */
  readonly code: string;
  /** Where `{##words##}` lead; undefined where they are mere words. */
  readonly link?: string | undefined;
  /** What is said instead of all other texts. */
  readonly override?: MessageOverride | undefined;
}

/** The settings that hold words of a pool. */
export type PoolWords = Pick<PoolSettings, 'kept' | 'messages'>;

type MessageTexts = Pick<Message, 'subject' | 'text' | 'html'>;

const COMPOSERS: Readonly<
  Record<Channel, (template: MessageTemplate, templateValues: TemplateValues) => MessageTexts>
> = {
  email: (template, templateValues) => ({
    subject: oneLine(fill(template.subject, textValues(templateValues))),
    text: fill(template.text, textValues(templateValues)),
    html: htmlOf(template, templateValues),
  }),
  sms: (template, templateValues) => ({
    subject: oneLine(fill(template.subject, textValues(templateValues))),
    text: fill(template.sms, textValues(templateValues)),
    html: undefined,
  }),
};

function textValues({ username, code, link }: TemplateValues): PlaceValues {
  return { username, code, linked: (words) => (link === undefined ? words : `${words}: ${link}`) };
}

function htmlValues({ username, code, link }: TemplateValues): PlaceValues {
  const linked = (words: string) => (link === undefined ? words : `<a href="${escaped(link)}">${words}</a>`);
  return { username: escaped(username), code: escaped(code), linked };
}

/** Words a message in the user's language: of each text what is given for it alone, else the pool's own, else the built-in one. */
export function compose(words: PoolWords, templateValues: TemplateValues): MessageTexts {
  const template = templateFor(words, templateValues);
  const isWithoutLink = PLACEHOLDERS[templateValues.kind] === 'link' && templateValues.code === '';
  return COMPOSERS[templateValues.channel](isWithoutLink ? withoutLink(template) : template, templateValues);
}

/** The paragraph that leads to the link goes with it; HTML is then made from the text. */
function withoutLink({ html, ...template }: MessageTemplate): MessageTemplate {
  return { ...template, text: textWithoutPlaceholder(template.text) };
}

/** A text without the paragraphs that hold `{####}`. */
export function textWithoutPlaceholder(text: string): string {
  const paragraphs = text.split(/\n{2,}/);
  return paragraphs.filter((paragraph) => !paragraph.includes('{####}')).join('\n\n');
}

function templateFor({ messages, kept }: PoolWords, { kind, locale, override = {} }: TemplateValues): MessageTemplate {
  const tag = languageTags(messages, locale).find((candidate) => hasTemplate(messages, candidate)) ?? '';
  const builtIn = (LANGUAGES[primaryTag(tag)] ?? FALLBACK_LANGUAGE)[kind];
  const own = messages?.templates[tag]?.[kind] ?? {};
  return [usableTexts(textsOfPool(kept, kind), kind), own, usableTexts(override, kind)].reduce(replaced, builtIn);
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

/** A text without line ends and other controls. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

function htmlOf({ html, text }: MessageTemplate, templateValues: TemplateValues): string {
  return fill(html ?? htmlFrom(text, templateValues.kind), htmlValues(templateValues));
}

const HTML_PLACEHOLDER_PATTERN = {
  code: '<strong>{####}</strong>',
  password: '<strong>{####}</strong>',
  link: '<a href="{####}">{####}</a>',
  linked_words: '{####}',
  nothing: '{####}',
} as const;

/** One paragraph a block of lines; the code stands out. */
function htmlFrom(text: string, kind: MessageKind): string {
  const blocks = escaped(text)
    .replaceAll('{####}', HTML_PLACEHOLDER_PATTERN[PLACEHOLDERS[kind]])
    .split(/\n{2,}/);
  const paragraphs = blocks.map((block) => `<p>${block.replaceAll('\n', '<br>')}</p>`);
  return `<!doctype html>\n<html><body>${paragraphs.join('')}</body></html>`;
}
