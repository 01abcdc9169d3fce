import { digestForTemplateResult } from '@lit-labs/ssr-client';
import { nothing, type TemplateResult } from 'lit';
import { isDirectiveResult } from 'lit/directive-helpers.js';

/** Escapes a text for HTML. The service passes the function that its own pages use. */
export type EscapeHtml = (text: string) => string;

/**
 * Renders a Lit template as markup, with the markers that `hydrate` of `@lit-labs/ssr-client` needs. It supports what this package's
 * templates use: elements, attributes, texts, lists and nested templates. Listeners are omitted.
 * @param escapeHtml escapes a text for HTML, including attribute values
 * @throws {TypeError} for anything else
 */
export function renderMarkup(value: unknown, escapeHtml: EscapeHtml): string {
  if (isTemplate(value)) {
    const writer = new TemplateWriter(value, escapeHtml);
    return `<!--lit-part ${digestForTemplateResult(value)}-->${writer.write()}<!--/lit-part-->`;
  }
  const content = Array.isArray(value)
    ? value.map((item) => renderMarkup(item, escapeHtml)).join('')
    : renderText(value, escapeHtml);
  return `<!--lit-part-->${content}<!--/lit-part-->`;
}

const isTemplate = (value: unknown): value is TemplateResult =>
  typeof value === 'object' && value !== null && '_$litType$' in value;

function renderText(value: unknown, escapeHtml: EscapeHtml): string {
  if (value === nothing || value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  throw new TypeError('a template holds what cannot be written as text');
}

/** The start or end of a tag. */
const TAG = /<(?=[a-z])|>/gi;
/** The name of a value's attribute, its quote, and its content so far. */
const ATTRIBUTE = /\s([^\s"'>=/]+)=(?:(["'])([^"']*))?$/;

/** A template. lit-html numbers its elements and its placeholders in document order. */
class TemplateWriter {
  private readonly template: TemplateResult;
  private readonly escapeHtml: EscapeHtml;
  private text = '';
  private nodes = 0;
  /** The current tag: its start and its number. */
  private tag: { readonly start: number; readonly node: number; isMarked: boolean } | undefined;
  /** The attribute that contains several values. */
  private quoted: { readonly name: string; readonly quote: string; value: string } | undefined;

  constructor(template: TemplateResult, escapeHtml: EscapeHtml) {
    this.template = template;
    this.escapeHtml = escapeHtml;
  }

  write(): string {
    const { strings, values } = this.template;
    for (const [at, part] of strings.entries()) {
      this.markup(this.quoted === undefined ? part : this.endOfQuoted(part));
      if (at === values.length) break;
      if (this.tag === undefined) this.place(values[at]);
      else this.attribute(values[at]);
    }
    return this.text;
  }

  private markup(part: string): void {
    for (const { 0: sign, index } of part.matchAll(TAG))
      this.tag = sign === '>' ? undefined : { start: this.text.length + index, node: this.nodes++, isMarked: false };
    this.text += part;
  }

  private place(value: unknown): void {
    this.nodes++;
    this.text += renderMarkup(value, this.escapeHtml);
  }

  private attribute(value: unknown): void {
    this.mark();
    if (this.quoted !== undefined) {
      this.quoted.value += renderText(value, this.escapeHtml);
      return;
    }
    const found = ATTRIBUTE.exec(this.text);
    if (found === null) throw new TypeError('a value stands where no attribute is');
    const [whole, name = '', quote, before = ''] = found;
    this.text = this.text.slice(0, -whole.length);
    if (quote === undefined) this.text += renderAttribute(name, value, this.escapeHtml);
    else this.quoted = { name, quote, value: before + renderText(value, this.escapeHtml) };
  }

  private endOfQuoted(part: string): string {
    if (this.quoted === undefined) return part;
    const { name, quote, value } = this.quoted;
    const end = part.indexOf(quote);
    if (end < 0) {
      this.quoted.value += part;
      return '';
    }
    this.text += ` ${name}="${value}${part.slice(0, end)}"`;
    this.quoted = undefined;
    return part.slice(end + 1);
  }

  /** An element with its own placeholders is marked with its number. */
  private mark(): void {
    const { tag, text } = this;
    if (tag === undefined || tag.isMarked) return;
    tag.isMarked = true;
    this.text = `${text.slice(0, tag.start)}<!--lit-node ${tag.node}-->${text.slice(tag.start)}`;
  }
}

function renderAttribute(name: string, given: unknown, escapeHtml: EscapeHtml): string {
  const value = isDirectiveResult(given) ? (given as unknown as Pick<TemplateResult, 'values'>).values[0] : given;
  if (name.startsWith('@')) return '';
  if (name.startsWith('?')) return value ? ` ${name.slice(1)}` : '';
  if (name === '.value') return value === '' ? '' : ` value="${renderText(value, escapeHtml)}"`;
  if (name.startsWith('.')) throw new TypeError(`the property ${name.slice(1)} cannot be written`);
  return value === nothing ? '' : ` ${name}="${renderText(value, escapeHtml)}"`;
}
