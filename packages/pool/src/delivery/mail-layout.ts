import { escapeHtml } from '@poolgate/provider';
import { hasLinkPlaceholder, PLACEHOLDER_KINDS } from '../settings/template-placeholders.ts';
import type { MessageKind, MessageTemplate } from '../store/pool-and-client-settings.ts';
import type { MailBrand } from './delivery-ports.ts';

const FONT = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const STYLES = {
  page: `margin:0;padding:0;background:#f2f4f7;color:#1a1d23;font-family:${FONT};font-size:16px;line-height:24px`,
  outer: 'background:#f2f4f7;padding:32px 12px',
  card: 'width:100%;max-width:560px;background:#ffffff;border:1px solid #e1e5eb;border-radius:12px',
  inner: `padding:32px;color:#1a1d23;font-family:${FONT};font-size:16px;line-height:24px;overflow-wrap:anywhere`,
  brand: 'margin:0 0 12px;font-size:14px;line-height:20px;font-weight:600;color:#5a6270',
  title: 'margin:0 0 20px;font-size:22px;line-height:28px;font-weight:600',
  paragraph: 'margin:0 0 16px',
  code: "margin:0 0 20px;padding:16px 20px;background:#eef1f6;border-radius:8px;font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;font-size:26px;line-height:32px;overflow-wrap:anywhere",
  action: 'margin:8px 0 20px',
  address: 'margin:0 0 16px;font-size:13px;line-height:20px;color:#5a6270;overflow-wrap:anywhere',
} as const;

const NO_BRAND: MailBrand = { accent: '#0b57d0', onAccent: '#ffffff', radius: 8 };

/** The style of the email's main link. */
export const formatButtonStyle = ({ accent, onAccent, radius }: MailBrand = NO_BRAND): string =>
  `display:inline-block;padding:12px 20px;border-radius:${radius}px;background:${accent};color:${onAccent};font-weight:600;text-decoration:none`;

/** Colors for dark mode, if the email program supports it. */
const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #14171c !important; color: #eceff4 !important; }
.card { background: #1e2229 !important; border-color: #343a45 !important; }
.ink { color: #eceff4 !important; }
.code { background: #2a303a !important; color: #ffffff !important; }
.small, .small a { color: #a9b2c0 !important; }
}`;

/** The content of the HTML. */
export type MailContent = Pick<MessageTemplate, 'subject' | 'text' | 'action'> & {
  readonly language: string | undefined;
  /** The product name that users know. */
  readonly appName?: string | undefined;
  readonly brand?: MailBrand | undefined;
};

/**
 * Creates the HTML of an email without its own HTML, with its placeholders: a heading, a paragraph for each block of lines, and a
 * highlighted code or link. It uses tables and inline styles, because email programs support little else, and loads nothing from outside.
 */
export function renderMailHtml(
  { subject, text, action, language, appName, brand: look }: MailContent,
  kind: MessageKind,
): string {
  const blocks = escapeHtml(text).split(/\n{2,}/);
  const body = blocks
    .map((block) => BLOCK_RENDERERS[PLACEHOLDER_KINDS[kind]](block, action && escapeHtml(action), look))
    .join('\n');
  const title = escapeHtml(subject);
  // Braces would be placeholders.
  const name = appName && escapeHtml(appName).replaceAll('{', '&#123;');
  const brand = name === undefined ? '' : `<p class="small" style="${STYLES.brand}">${name}</p>\n`;
  return `<!doctype html>
<html${language === undefined ? '' : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
${DARK}
</style>
</head>
<body class="page" style="${STYLES.page}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="page" align="center" style="${STYLES.outer}">
<table role="presentation" class="card" cellpadding="0" cellspacing="0" border="0" style="${STYLES.card}">
<tr><td class="ink" dir="auto" style="${STYLES.inner}">
${brand}<h1 style="${STYLES.title}">${title}</h1>
${body}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

type BlockRenderer = (block: string, action: string | undefined, brand: MailBrand | undefined) => string;

const renderParagraph = (block: string): string => {
  const lines = block.trim().replaceAll('\n', '<br>');
  return lines === '' ? '' : `<p style="${STYLES.paragraph}">${lines}</p>`;
};

/** Returns the text before the placeholder at the end of a block; undefined if it is elsewhere or occurs more than once. */
function findWordsBefore(block: string): string | undefined {
  const [words, rest, ...others] = block.split('{####}');
  return rest?.trim() === '' && others.length === 0 ? words : undefined;
}

/** At the end of its block, the code gets its own line. */
const renderSecretBlock: BlockRenderer = (block) => {
  const words = findWordsBefore(block);
  if (words === undefined) return renderParagraph(block.replaceAll('{####}', '<strong>{####}</strong>'));
  return `${renderParagraph(words)}<p class="code" style="${STYLES.code}"><strong>{####}</strong></p>`;
};

/** Also shows the address, for readers who want to see where the button leads. */
const renderLinkBlock: BlockRenderer = (block, action, brand) => {
  const address = '<a href="{####}">{####}</a>';
  const words = findWordsBefore(block);
  if (action === undefined || words === undefined) return renderParagraph(block.replaceAll('{####}', address));
  const button = `<p style="${STYLES.action}"><a href="{####}" style="${formatButtonStyle(brand)}">${action}</a></p>`;
  return `${renderParagraph(words)}${button}<p class="small" style="${STYLES.address}">${address}</p>`;
};

const renderLinkedWordsBlock: BlockRenderer = (block) =>
  hasLinkPlaceholder(block)
    ? `<p style="${STYLES.action}">${block.replaceAll('\n', '<br>')}</p>`
    : renderParagraph(block);

const BLOCK_RENDERERS: Readonly<Record<(typeof PLACEHOLDER_KINDS)[MessageKind], BlockRenderer>> = {
  code: renderSecretBlock,
  password: renderSecretBlock,
  link: renderLinkBlock,
  linked_words: renderLinkedWordsBlock,
  nothing: renderParagraph,
};
