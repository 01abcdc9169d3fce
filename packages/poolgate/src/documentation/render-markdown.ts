/**
 * A page of Markdown as HTML. HTML inside of Markdown is left out, and links lead to other pages of the site, or to the source.
 */
import type { Element, ElementContent, Root as HtmlRoot } from 'hast';
import type { Root } from 'mdast';
import rehypeHighlight from 'rehype-highlight';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** A part of a page below one heading, as the search finds it. */
export interface PageSection {
  /** Empty for the text before the first heading. */
  readonly anchor: string;
  readonly heading: string;
  readonly level: number;
  readonly text: string;
}

/** A page without the frame around it. */
export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly PageSection[];
}

/** Where a link or a picture of a page leads. */
export type ResolveLink = (link: string) => string;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const toHtml = unified().use(remarkRehype).use(rehypeSlug).use(rehypeHighlight, { detect: false }).freeze();
const writer = unified().use(rehypeStringify).freeze();

/** Renders a page. */
export async function renderMarkdown(markdown: string, resolveLink: ResolveLink): Promise<RenderedPage> {
  const tree: Root = parser.parse(markdown);
  const html = (await toHtml.run(tree)) as HtmlRoot;
  visitElements(html, (element) => adaptElement(element, resolveLink));
  const sections = listSections(html);
  const title = sections.find(({ level }) => level === 1)?.heading;
  if (title === undefined) throw new RangeError('a page of the documentation starts with a heading');
  return { title, html: writer.stringify(html), sections };
}

function visitElements({ children }: HtmlRoot | Element, visit: (element: Element) => void): void {
  for (const child of children) {
    if (child.type !== 'element') continue;
    visit(child);
    visitElements(child, visit);
  }
}

function adaptElement(element: Element, resolveLink: ResolveLink): void {
  const { tagName, properties } = element;
  if (tagName === 'a' && typeof properties.href === 'string') properties.href = resolveLink(properties.href);
  if (tagName === 'img') {
    properties.src = resolveLink(String(properties.src));
    properties.loading = 'lazy';
  }
  // Makes content that scrolls sideways scrollable with the keyboard, too.
  if (tagName === 'pre' || tagName === 'table') properties.tabIndex = 0;
  // The corner of a table with row headings.
  if (tagName === 'th' && element.children.length === 0) element.tagName = 'td';
  if (tagName === 'td' || tagName === 'th') {
    properties.className = properties.align === undefined ? undefined : [`align-${String(properties.align)}`];
    delete properties.align;
  }
}

function listSections({ children }: HtmlRoot): readonly PageSection[] {
  const sections: { anchor: string; heading: string; level: number; text: string }[] = [];
  for (const child of children) {
    if (child.type !== 'element') continue;
    const [, level] = /^h([1-6])$/.exec(child.tagName) ?? [];
    if (level === undefined) {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${readText(child)} `;
    } else {
      const anchor = String(child.properties.id);
      sections.push({ anchor, heading: readText(child), level: Number(level), text: '' });
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }));
}

function readText(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  const text = node.children.map(readText).join('');
  return /^(?:td|th|li|p|pre)$/.test(node.tagName) ? `${text} ` : text;
}
