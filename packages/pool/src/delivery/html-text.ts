/** Elements whose content is not shown. */
const HIDDEN: ReadonlySet<string> = new Set(['head', 'script', 'style', 'template', 'title']);

/** The text before and after an element. Other elements are inline. */
const BREAKS: Readonly<Record<string, string>> = Object.assign(
  Object.fromEntries(
    ['address', 'article', 'body', 'center', 'div', 'footer', 'header', 'li', 'main', 'section', 'tr', 'br'].map(
      (name) => [name, '\n'],
    ),
  ),
  Object.fromEntries(
    ['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ol', 'p', 'pre', 'table', 'ul'].map((name) => [
      name,
      '\n\n',
    ]),
  ),
  { td: ' ', th: ' ' },
);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  euro: '€',
  zwnj: '',
  shy: '',
};

const TAG = /<(\/?)([a-z][a-z\d]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/iy;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const MAX_CODE_POINT = 0x10ffff;

/** Whether a text is HTML: it contains a tag, a comment or an entity. */
export function isHtml(text: string): boolean {
  return /<(?:!|\/?[a-z][^<>]*>)|&(?:#\d+|#x[\da-f]+|[a-z]+\d*);/i.test(text);
}

/**
 * Converts an email's HTML to plain text: its words in lines, with the target after the words of a link. It is meant for operators' texts
 * and does not sanitize anything.
 */
export function toPlainText(html: string): string {
  const out: string[] = [];
  let open: { readonly href: string; readonly from: number } | undefined;
  let at = 0;
  for (let next = html.indexOf('<'); next !== -1; next = html.indexOf('<', at)) {
    out.push(toInlineText(html.slice(at, next)));
    const tag = readTagAt(html, next);
    at = tag.end;
    if (tag.name === 'a' && !tag.isEnd) open = { href: readHref(tag.inner), from: out.length };
    if (tag.name === 'a' && tag.isEnd && open !== undefined) {
      const words = out.slice(open.from).join('').trim();
      if (open.href !== '' && !open.href.startsWith('#') && words !== open.href) out.push(` (${open.href})`);
      open = undefined;
    }
    out.push(tag.text);
  }
  out.push(toInlineText(html.slice(at)));
  return out
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly inner: string;
  /** The replacement text. */
  readonly text: string;
  /** Where the rest begins: after the tag, a comment, or a hidden element. */
  readonly end: number;
}

function readTagAt(html: string, at: number): Tag {
  const nothing = { name: '', isEnd: false, inner: '', text: '' };
  if (html.startsWith('<!--', at)) return { ...nothing, end: findEndAfter(html, '-->', at) };
  if (html.startsWith('<!', at)) return { ...nothing, end: findEndAfter(html, '>', at) };
  TAG.lastIndex = at;
  const [whole, slash, written = '', inner = ''] = TAG.exec(html) ?? [];
  if (whole === undefined) return { ...nothing, text: '<', end: at + 1 };
  const name = written.toLowerCase();
  const end = at + whole.length;
  if (HIDDEN.has(name) && slash === '') return { ...nothing, end: findEndAfter(html, `</${written}>`, end) };
  const bullet = name === 'li' && slash === '' ? '- ' : '';
  const text = Object.hasOwn(BREAKS, name) ? `${BREAKS[name]}${bullet}` : '';
  return { name, isEnd: slash === '/', inner, text, end };
}

/** The end of the text if the mark does not occur again. */
function findEndAfter(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function readHref(inner: string): string {
  const [, double, single, bare] = HREF.exec(inner) ?? [];
  return decodeEntities(double ?? single ?? bare ?? '').trim();
}

function toInlineText(text: string): string {
  return decodeEntities(text.replace(/\s+/g, ' '));
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return point > 0 && point <= MAX_CODE_POINT ? String.fromCodePoint(point) : whole;
  });
}
