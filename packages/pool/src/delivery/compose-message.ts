import { escapeHtml } from '@poolgate/provider';
import {
  fillPlaceholders,
  PLACEHOLDER_KINDS,
  type PlaceholderValues,
  removePlaceholderParagraphs,
  toSingleLine,
} from '../settings/template-placeholders.ts';
import {
  type ChosenTemplate,
  chooseTemplate,
  type MessageTextSettings,
  type TemplateRequest,
} from './choose-template.ts';
import type { MailBrand } from './delivery-ports.ts';
import { type FactorChange, nameFactorChanges } from './languages/factor-changes.ts';
import { formatButtonStyle, renderMailHtml } from './mail-layout.ts';
import type { Channel, Message } from './sender.ts';

/** The values for a template. */
export interface TemplateValues extends TemplateRequest {
  readonly channel: Channel;
  /** The name with which the user signs in. */
  readonly username: string;
  /** The value of `{####}`; empty for a notice without a link. */
  readonly code: string;
  /** The changes that a notice about sign-in methods names. */
  readonly changes?: readonly FactorChange[] | undefined;
  /** The date that a notice names, in milliseconds since the epoch. */
  readonly dateMs?: number | undefined;
  /** The product name that users know. */
  readonly appName?: string | undefined;
  readonly brand?: MailBrand | undefined;
  /** The target of `{##words##}`; undefined for plain words. */
  readonly link?: string | undefined;
}

type MessageTexts = Pick<Message, 'subject' | 'text' | 'html'>;

const COMPOSERS: Readonly<Record<Channel, (template: ChosenTemplate, templateValues: TemplateValues) => MessageTexts>> =
  {
    email: (template, templateValues) => ({
      subject: toSingleLine(fillPlaceholders(template.subject, toTextValues(template, templateValues))),
      text: fillPlaceholders(template.text, toTextValues(template, templateValues)),
      html: renderHtml(template, templateValues),
    }),
    sms: (template, templateValues) => ({
      subject: toSingleLine(fillPlaceholders(template.subject, toTextValues(template, templateValues))),
      text: fillPlaceholders(template.sms, toTextValues(template, templateValues)),
      html: undefined,
    }),
  };

function toTextValues({ language }: ChosenTemplate, templateValues: TemplateValues): PlaceholderValues {
  const { username, code, link } = templateValues;
  const linked = (words: string) => (link === undefined ? words : `${words}: ${link}`);
  return { username, code, change: formatChange(language, templateValues), linked };
}

/** What a notice is about: changes of sign-in methods, or a date. */
function formatChange(language: string | undefined, { changes, dateMs }: TemplateValues): string | undefined {
  if (dateMs === undefined) return changes && nameFactorChanges(changes, language);
  const locale = language !== undefined && isLocale(language) ? language : 'en';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(dateMs);
}

/** The language of a pool's texts can have any name. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** A pool's own HTML has its own style. Only ours shows a link as a button. */
function renderHtml(template: ChosenTemplate, templateValues: TemplateValues): string {
  const { kind, username, code, link, appName, brand } = templateValues;
  const { html, language } = template;
  const style = html === undefined ? ` style="${formatButtonStyle(brand)}"` : '';
  const linked = (words: string) => (link === undefined ? words : `<a href="${escapeHtml(link)}"${style}>${words}</a>`);
  const change = formatChange(language, templateValues);
  const values = { username: escapeHtml(username), code: escapeHtml(code), change, linked };
  return fillPlaceholders(html ?? renderMailHtml({ ...template, appName, brand }, kind), values);
}

/** Composes a message in the user's language. Each text is the override for this message, else the pool's own, else the built-in one. */
export function composeMessage(words: MessageTextSettings, templateValues: TemplateValues): MessageTexts {
  const template = chooseTemplate(words, templateValues);
  const isWithoutLink = PLACEHOLDER_KINDS[templateValues.kind] === 'link' && templateValues.code === '';
  return COMPOSERS[templateValues.channel](isWithoutLink ? removeLinkParagraph(template) : template, templateValues);
}

/** Also removes the paragraph that leads to the link. The HTML is then created from the text. */
function removeLinkParagraph({ html, ...template }: ChosenTemplate): ChosenTemplate {
  return { ...template, text: removePlaceholderParagraphs(template.text) };
}
