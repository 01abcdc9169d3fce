import type { Channel, Message } from '../context.ts';
import type { MessageKind, MessageSettings, MessageTemplate } from '../settings.ts';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages/index.ts';

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
}

/** What `{####}` stands for in each kind of message. */
export const PLACEHOLDERS: Readonly<Record<MessageKind, 'code' | 'password' | 'link' | 'nothing'>> = {
  sign_up: 'code',
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
  codes_guessed: 'link',
};

type MessageTexts = Pick<Message, 'subject' | 'text' | 'html'>;

const COMPOSERS: Readonly<
  Record<Channel, (template: MessageTemplate, templateValues: TemplateValues) => MessageTexts>
> = {
  email: (template, templateValues) => ({
    subject: oneLine(fill(template.subject, templateValues)),
    text: fill(template.text, templateValues),
    html: htmlOf(template, templateValues),
  }),
  sms: (template, templateValues) => ({
    subject: oneLine(fill(template.subject, templateValues)),
    text: fill(template.sms, templateValues),
    html: undefined,
  }),
};

/** Words a message in the user's language: the pool's own texts before the built-in ones, each text by itself. */
export function compose(settings: MessageSettings | undefined, templateValues: TemplateValues): MessageTexts {
  const template = templateFor(settings, templateValues);
  const isWithoutLink = PLACEHOLDERS[templateValues.kind] === 'link' && templateValues.code === '';
  return COMPOSERS[templateValues.channel](isWithoutLink ? withoutLink(template) : template, templateValues);
}

/** The paragraph that leads to the link goes with it; HTML is then made from the text. */
function withoutLink({ html, ...template }: MessageTemplate): MessageTemplate {
  return { ...template, text: textWithoutPlaceholder(template.text) };
}

function textWithoutPlaceholder(text: string): string {
  const paragraphs = text.split(/\n{2,}/);
  return paragraphs.filter((paragraph) => !paragraph.includes('{####}')).join('\n\n');
}

function templateFor(settings: MessageSettings | undefined, { kind, locale }: TemplateValues): MessageTemplate {
  const tag = languageTags(settings, locale).find((candidate) => hasTemplate(settings, candidate)) ?? '';
  const own = settings?.templates[tag]?.[kind];
  const builtIn = (LANGUAGES[primaryTag(tag)] ?? FALLBACK_LANGUAGE)[kind];
  return own === undefined ? builtIn : { ...withoutHtml(builtIn, own), ...own };
}

/** The built-in HTML belongs to the built-in text. */
function withoutHtml(builtIn: MessageTemplate, { text }: Partial<MessageTemplate>): MessageTemplate {
  const { html, ...rest } = builtIn;
  return text === undefined && html !== undefined ? { ...rest, html } : rest;
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

const PLACEHOLDER_PATTERN = /\{(####|username)\}/g;

/** In one pass: a value that looks like a place is no place. */
function fill(template: string, { username, code }: Pick<TemplateValues, 'username' | 'code'>): string {
  return template.replace(PLACEHOLDER_PATTERN, (_, placeholder) => (placeholder === 'username' ? username : code));
}

function oneLine(text: string): string {
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

function htmlOf({ html, text }: MessageTemplate, { kind, username, code }: TemplateValues): string {
  const values = { username: escaped(username), code: escaped(code) };
  return fill(html ?? htmlFrom(text, kind), values);
}

const HTML_PLACEHOLDER_PATTERN = {
  code: '<strong>{####}</strong>',
  password: '<strong>{####}</strong>',
  link: '<a href="{####}">{####}</a>',
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

const SMS_LENGTH = { least: 6, most: 140 };

/**
 * Checks the texts of a pool.
 * @throws {RangeError} one of them has no place for the code, or one for a code that there is not, or is too short or too long
 */
export function checkMessageSettings({ language, templates }: MessageSettings): void {
  if (!isTag(language)) throw new RangeError('messages.language must be a language tag in lower case');
  for (const [tag, kinds] of Object.entries(templates)) {
    if (!isTag(tag)) throw new RangeError(`messages.templates.${tag} must be named by a language tag in lower case`);
    for (const [kind, template] of Object.entries(kinds))
      checkTemplate(`messages.templates.${tag}.${kind}`, kind, template);
  }
}

function isTag(text: string): boolean {
  return /^[a-z]{2,8}(-[a-z\d]{1,8})*$/.test(text);
}

function isKind(text: string): text is MessageKind {
  return Object.hasOwn(PLACEHOLDERS, text);
}

/** Notices go by mail: their SMS need no place. */
const REQUIRED_PLACEHOLDERS = {
  code: { bodies: true, sms: true },
  password: { bodies: true, sms: true },
  link: { bodies: true, sms: false },
  nothing: { bodies: false, sms: false },
} as const;

function checkTemplate(name: string, kind: string, template: Partial<MessageTemplate>): void {
  if (!isKind(kind)) throw new RangeError(`${name} is no kind of message`);
  const { subject, sms, text, html } = template;
  const holds = REQUIRED_PLACEHOLDERS[PLACEHOLDERS[kind]];
  checkPlaceholder(`${name}.text`, text, holds.bodies);
  checkPlaceholder(`${name}.html`, html, holds.bodies);
  checkPlaceholder(`${name}.sms`, sms, holds.sms);
  if (PLACEHOLDERS[kind] === 'link' && text !== undefined && textWithoutPlaceholder(text).trim() === '') {
    throw new RangeError(`${name}.text must hold {####} in a paragraph of its own`);
  }
  if (subject !== undefined && (subject === '' || subject !== oneLine(subject))) {
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
