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
  // Most logos are made for a light background, and email programs cannot choose another one in the dark.
  logo: 'display:block;width:auto;height:auto;max-height:40px;max-width:240px;margin:0 0 20px;padding:4px;background:#ffffff;border-radius:6px;border:0',
  links: 'margin:24px 0 0;font-size:13px;line-height:20px;color:#5a6270',
  address: 'margin:0 0 16px;font-size:13px;line-height:20px;color:#5a6270;overflow-wrap:anywhere',
} as const;

const DEFAULT_BUTTON = { accent: '#0b57d0', onAccent: '#ffffff' } as const;
const DEFAULT_RADIUS_PX = 8;

const LINK_LABELS = {
  en: { terms: 'Terms', privacy: 'Privacy', support: 'Support' },
  de: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutz', support: 'Hilfe' },
} as const;

/** The style of the email's main link. */
export function formatButtonStyle({ button, radius = DEFAULT_RADIUS_PX }: Partial<MailBrand> = {}): string {
  const { accent, onAccent } = button ?? DEFAULT_BUTTON;
  return `display:inline-block;padding:12px 20px;border-radius:${radius}px;background:${accent};color:${onAccent};font-weight:600;text-decoration:none`;
}

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
 * highlighted code or link. It uses tables and inline styles, because email programs support little else, and loads nothing but the logo of a
 * brand.
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
${renderHead(appName, look)}<h1 style="${STYLES.title}">${title}</h1>
${body}
${renderLinks(language, look)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Braces would be placeholders. */
const escapeText = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;');

/** The logo of the brand, or the product name. */
function renderHead(appName: string | undefined, { logoUrl }: Partial<MailBrand> = {}): string {
  const name = appName === undefined ? '' : escapeText(appName);
  if (logoUrl !== undefined)
    return `<img src="${escapeText(logoUrl)}" alt="${name}" height="40" style="${STYLES.logo}">\n`;
  return name === '' ? '' : `<p class="small" style="${STYLES.brand}">${name}</p>\n`;
}

/** The links of the brand, for the end of the email. */
function renderLinks(language: string | undefined, { links = {} }: Partial<MailBrand> = {}): string {
  const labels = language?.split('-')[0] === 'de' ? LINK_LABELS.de : LINK_LABELS.en;
  const shown = (['terms', 'privacy', 'support'] as const).flatMap((name) => {
    const address = links[name];
    return address === undefined ? [] : [`<a href="${escapeText(address)}">${labels[name]}</a>`];
  });
  return shown.length === 0 ? '' : `<p class="small" style="${STYLES.links}">${shown.join(' · ')}</p>\n`;
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
