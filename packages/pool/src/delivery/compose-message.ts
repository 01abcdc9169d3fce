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
import { BUTTON_STYLE, renderMailHtml } from './mail-layout.ts';
import type { Channel, Message } from './sender.ts';

/** What is put into a template. */
export interface TemplateValues extends TemplateRequest {
  readonly channel: Channel;
  /** The name that the user signs in with. */
  readonly username: string;
  /** What stands for `{####}`; empty where a notice has no link. */
  readonly code: string;
  /** What users know the service by. */
  readonly appName?: string | undefined;
  /** Where `{##words##}` lead; undefined where they are mere words. */
  readonly link?: string | undefined;
}

type MessageTexts = Pick<Message, 'subject' | 'text' | 'html'>;

const COMPOSERS: Readonly<Record<Channel, (template: ChosenTemplate, templateValues: TemplateValues) => MessageTexts>> =
  {
    email: (template, templateValues) => ({
      subject: toSingleLine(fillPlaceholders(template.subject, toTextValues(templateValues))),
      text: fillPlaceholders(template.text, toTextValues(templateValues)),
      html: renderHtml(template, templateValues),
    }),
    sms: (template, templateValues) => ({
      subject: toSingleLine(fillPlaceholders(template.subject, toTextValues(templateValues))),
      text: fillPlaceholders(template.sms, toTextValues(templateValues)),
      html: undefined,
    }),
  };

function toTextValues({ username, code, link }: TemplateValues): PlaceholderValues {
  return { username, code, linked: (words) => (link === undefined ? words : `${words}: ${link}`) };
}

/** HTML of the pool's own has a look of its own: only in ours a link is a button. */
function renderHtml(template: ChosenTemplate, { kind, username, code, link, appName }: TemplateValues): string {
  const { html } = template;
  const style = html === undefined ? ` style="${BUTTON_STYLE}"` : '';
  const linked = (words: string) => (link === undefined ? words : `<a href="${escapeHtml(link)}"${style}>${words}</a>`);
  const values = { username: escapeHtml(username), code: escapeHtml(code), linked };
  return fillPlaceholders(html ?? renderMailHtml({ ...template, appName }, kind), values);
}

/** Words a message in the user's language: of each text what is given for it alone, else the pool's own, else the built-in one. */
export function composeMessage(words: MessageTextSettings, templateValues: TemplateValues): MessageTexts {
  const template = chooseTemplate(words, templateValues);
  const isWithoutLink = PLACEHOLDER_KINDS[templateValues.kind] === 'link' && templateValues.code === '';
  return COMPOSERS[templateValues.channel](isWithoutLink ? removeLinkParagraph(template) : template, templateValues);
}

/** The paragraph that leads to the link goes with it; HTML is then made from the text. */
function removeLinkParagraph({ html, ...template }: ChosenTemplate): ChosenTemplate {
  return { ...template, text: removePlaceholderParagraphs(template.text) };
}
