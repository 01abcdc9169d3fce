import { digestForTemplateResult } from '@lit-labs/ssr-client';
import { nothing, type TemplateResult } from 'lit';
import { isDirectiveResult } from 'lit/directive-helpers.js';

/** Escapes a text for HTML. The service passes the function that it uses in its own pages. */
export type EscapeHtml = (text: string) => string;

/**
 * Writes what a template of Lit draws as markup, with the marks by which `hydrate` of `@lit-labs/ssr-client` finds its places again. It
 * knows what the templates of this package use: elements, attributes, texts, lists and other templates. Listeners are left out.
 * @param escapeHtml escapes a text for HTML, also as the value of an attribute
 * @throws {TypeError} for what it does not know
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

/** Where a tag begins or ends. */
const TAG = /<(?=[a-z])|>/gi;
/** The name of the attribute that a value stands in, its quote, and what is in that already. */
const ATTRIBUTE = /\s([^\s"'>=/]+)=(?:(["'])([^"']*))?$/;

/** One template; lit-html numbers its elements and its places in the order in which they stand. */
class TemplateWriter {
  private readonly template: TemplateResult;
  private readonly escapeHtml: EscapeHtml;
  private text = '';
  private nodes = 0;
  /** The tag that is being written: where it begins, and its number. */
  private tag: { readonly start: number; readonly node: number; isMarked: boolean } | undefined;
  /** The attribute that several values stand in. */
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

  /** An element that has places of its own says which one it is. */
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
