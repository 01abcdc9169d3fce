/**
 * The brand of the pages: logo, favicon, colors, font, corner radius and links, read from the file that `POOLGATE_BRAND_FILE` names. The
 * service checks the file at start and serves everything from its own origin.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { BrandError } from './brand-error.ts';
import { checkImage } from './brand-image.ts';
import { chooseTextColor, computeContrast, READABLE_RATIO, VISIBLE_RATIO } from './contrast.ts';

/** A file that the pages of a brand load. */
export interface BrandFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A brand that was checked. */
export interface Brand {
  /** By names that change with the content. */
  readonly files: ReadonlyMap<string, BrandFile>;
  /** The name of the stylesheet. */
  readonly style: string;
  readonly logo?: string;
  readonly favicon?: string;
  readonly links: BrandLinks;
  /** Rules for pages that are rendered without files: errors and OAuth pages. */
  readonly plainStyle: string;
  /** Colors that are hard to read, one sentence each. */
  readonly warnings: readonly string[];
}

/** Links below every page. */
export interface BrandLinks {
  readonly terms?: string;
  readonly privacy?: string;
  readonly support?: string;
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_RADIUS_PX = 24;
const LINKS = ['terms', 'privacy', 'support'] as const;
/** The surface of a card in each theme, which the accent color must stand out from. */
const SURFACES = { light: '#ffffff', dark: '#161a22' } as const;
type Theme = keyof typeof SURFACES;

/** Reads a brand. @throws {BrandError} if the file cannot be used */
export function readBrand(path: string): Brand {
  const reader = new BrandReader(path);
  return reader.read();
}

class BrandReader {
  private readonly folder: string;
  private readonly text: string;
  private readonly files = new Map<string, BrandFile>();
  private readonly warnings: string[] = [];
  private readonly plainRules: string[] = [];

  constructor(path: string) {
    this.folder = dirname(resolve(path));
    this.text = readFileSync(path, 'utf8');
  }

  read(): Brand {
    const brand = this.object(this.parse(), ['logo', 'logo_dark', 'favicon', 'accent', 'font', 'radius', 'links'], '');
    const logo = this.image('logo', brand.logo);
    const logoDark = this.image('logo_dark', brand.logo_dark);
    const favicon = this.image('favicon', brand.favicon);
    const font = this.font(brand.font);
    const css = [
      ...this.accentRules(brand.accent),
      ...this.radiusRules(brand.radius),
      ...(font === undefined
        ? []
        : [
            `@font-face{font-family:"Brand";src:url("${font}") format("woff2");font-display:swap}`,
            '[data-poolgate]{--pg-font:"Brand",system-ui,sans-serif}',
          ]),
      ...(logoDark === undefined
        ? []
        : [`@media (prefers-color-scheme:dark){[data-poolgate] [data-part=logo]{content:url("${logoDark}")}}`]),
    ].join('\n');
    const style = this.add('brand', '.css', { type: 'text/css; charset=utf-8', bytes: Buffer.from(css) });
    return {
      files: this.files,
      style,
      ...(logo !== undefined && { logo }),
      ...(favicon !== undefined && { favicon }),
      links: this.links(brand.links),
      plainStyle: this.plainRules.join('\n'),
      warnings: this.warnings,
    };
  }

  private parse(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      const { message } = error as SyntaxError;
      const position = Number(/position (\d+)/.exec(message)?.[1] ?? this.text.length);
      throw new BrandError(this.lineAt(position), `the file is not JSON: ${message}`, error);
    }
  }

  private lineAt(position: number): number {
    return this.text.slice(0, position).split('\n').length;
  }

  private fail(member: string, problem: string): never {
    const position = this.text.indexOf(`"${member}"`);
    throw new BrandError(this.lineAt(Math.max(position, 0)), `${member}: ${problem}`);
  }

  private object(value: unknown, members: readonly string[], name: string): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.fail(name, `must be an object with ${members.join(', ')}`);
    const unknown = Object.keys(value).find((member) => !members.includes(member));
    if (unknown !== undefined) this.fail(unknown, `is unknown. Use ${members.join(', ')}`);
    return value as Readonly<Record<string, unknown>>;
  }

  private bytes(member: string, value: unknown): { readonly extension: string; readonly bytes: Buffer } | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') return this.fail(member, 'must be the path of a file');
    const path = resolve(this.folder, value);
    try {
      if (statSync(path).size > MAX_FILE_BYTES)
        this.fail(member, `${value} is larger than ${MAX_FILE_BYTES / 1024} KiB`);
      return { extension: extname(path).toLowerCase(), bytes: readFileSync(path) };
    } catch (error) {
      if (error instanceof BrandError) throw error;
      return this.fail(member, `${value} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }

  private image(member: string, value: unknown): string | undefined {
    const file = this.bytes(member, value);
    if (file === undefined) return undefined;
    const checked = checkImage(file.extension, file.bytes);
    if ('problem' in checked) return this.fail(member, `${String(value)} ${checked.problem}`);
    return this.add(member.replace('_', '-'), file.extension, { type: checked.type, bytes: file.bytes });
  }

  private font(value: unknown): string | undefined {
    const file = this.bytes('font', value);
    if (file === undefined) return undefined;
    if (file.bytes.toString('latin1', 0, 4) !== 'wOF2')
      return this.fail('font', `${String(value)} is not a WOFF2 font`);
    return this.add('font', '.woff2', { type: 'font/woff2', bytes: file.bytes });
  }

  private add(name: string, extension: string, file: BrandFile): string {
    const digest = createHash('sha256').update(file.bytes).digest('hex').slice(0, 10).toUpperCase();
    const full = `${name}-${digest}${extension}`;
    this.files.set(full, file);
    return full;
  }

  private accentRules(value: unknown): readonly string[] {
    if (value === undefined) return [];
    const themes = this.object(value, ['light', 'dark'], 'accent');
    const light = this.accent('light', themes.light);
    const dark = this.accent('dark', themes.dark);
    const both = (one: string, other: string): string => `light-dark(${one},${other})`;
    const hover = both(`color-mix(in srgb,${light} 86%,black)`, `color-mix(in srgb,${dark} 86%,white)`);
    const soft = both(`color-mix(in srgb,${light} 9%,white)`, `color-mix(in srgb,${dark} 16%,${SURFACES.dark})`);
    const text = both(chooseTextColor(light), chooseTextColor(dark));
    this.plainRules.push(
      `a{color:${both(light, dark)}}`,
      `button:first-of-type{background:${both(light, dark)};color:${text}}`,
      `button:first-of-type:hover{background:${hover}}`,
      `:focus-visible{outline-color:${both(light, dark)}}`,
    );
    return [
      `[data-poolgate]{--pg-color-accent:${both(light, dark)};--pg-color-accent-hover:${hover};--pg-color-on-accent:${text};--pg-color-accent-soft:${soft};--pg-color-focus:${both(light, dark)}}`,
    ];
  }

  private accent(theme: Theme, value: unknown): string {
    if (typeof value !== 'string' || !/^#[0-9a-f]{6}$/i.test(value))
      return this.fail(theme, 'must be a color such as #3b4fd6');
    const ratio = computeContrast(value, SURFACES[theme]);
    const words = `${value} has a contrast of ${ratio.toFixed(2)}:1 with ${SURFACES[theme]}, the surface of the ${theme} theme`;
    if (ratio < VISIBLE_RATIO) this.fail(theme, `${words}. Choose a color with at least ${VISIBLE_RATIO}:1`);
    if (ratio < READABLE_RATIO) this.warnings.push(`${words}. Text needs ${READABLE_RATIO}:1 to be easy to read.`);
    return value.toLowerCase();
  }

  private radiusRules(value: unknown): readonly string[] {
    if (value === undefined) return [];
    if (typeof value !== 'number' || !(value >= 0 && value <= MAX_RADIUS_PX))
      return this.fail('radius', `must be a number of pixels from 0 to ${MAX_RADIUS_PX}`);
    this.plainRules.push(`main{border-radius:${Math.round(value * 1.8)}px}`, `button{border-radius:${value}px}`);
    return [`[data-poolgate]{--pg-radius:${value}px;--pg-radius-large:${Math.round(value * 1.8)}px}`];
  }

  private links(value: unknown): BrandLinks {
    if (value === undefined) return {};
    const links = this.object(value, LINKS, 'links');
    return Object.fromEntries(
      LINKS.filter((name) => links[name] !== undefined).map((name) => [name, this.url(name, links[name])]),
    );
  }

  private url(member: string, value: unknown): string {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !['https:', 'mailto:'].includes(url.protocol) || url.username !== '')
      return this.fail(member, 'must be an https or mailto URL');
    return url.href;
  }
}
