/**
 * The brands of the pages: logo, favicon, colors, font, corner radius, heading and links, read from the file that `POOLGATE_BRAND_FILE`
 * names. The service checks the file at start and serves everything from its own origin.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import {
  BRAND_COLORS,
  type Brand,
  type BrandColorName,
  type BrandColors,
  type BrandFile,
  type BrandLinks,
  checkImage,
  explainFinding,
  findWeakColors,
  isUnreadable,
  MAX_RADIUS_PX,
  type Theme,
  type ThemedColor,
} from '@poolgate/pool/branding';
import { BrandDocument, type Path } from './brand-document.ts';
import { BrandError } from './brand-error.ts';

/** The brands of a file. */
export interface FileBrands {
  readonly service: Brand;
  /** By pool id. */
  readonly pools: ReadonlyMap<string, Brand>;
  /** By client id. */
  readonly clients: ReadonlyMap<string, Brand>;
  /** Colors that are hard to read, one sentence each. */
  readonly warnings: readonly string[];
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_HEADING_LENGTH = 80;
const LINKS = ['terms', 'privacy', 'support'] as const;
const COLORS = (Object.keys(BRAND_COLORS) as BrandColorName[]).filter((name) => name !== 'accent');
const MEMBERS = [
  'logo',
  'logo_dark',
  'favicon',
  'accent',
  'colors',
  'theme',
  'font',
  'radius',
  'heading',
  'links',
] as const;

/** Reads the brands of a file. @throws {BrandError} if the file cannot be used */
export function readBrandFile(path: string): FileBrands {
  return new BrandReader(path).read();
}

class BrandReader {
  private readonly folder: string;
  private readonly document: BrandDocument;
  private readonly warnings: string[] = [];

  constructor(path: string) {
    this.folder = dirname(resolve(path));
    this.document = new BrandDocument(readFileSync(path, 'utf8'));
  }

  read(): FileBrands {
    const { pools, clients, ...service } = this.document.requireObject(
      this.document.value,
      [],
      [...MEMBERS, 'pools', 'clients'],
    );
    return {
      service: this.brand(service, []),
      pools: this.brands(pools, 'pools'),
      clients: this.brands(clients, 'clients'),
      warnings: this.warnings,
    };
  }

  private brands(value: unknown, member: string): ReadonlyMap<string, Brand> {
    if (value === undefined) return new Map();
    const brands = this.document.requireObject(value, [member], undefined);
    return new Map(Object.entries(brands).map(([id, brand]) => [id, this.brand(brand, [member, id])]));
  }

  private brand(value: unknown, path: Path): Brand {
    const members = this.document.requireObject(value, path, MEMBERS);
    const at = (name: (typeof MEMBERS)[number]): readonly [unknown, Path] => [members[name], [...path, name]];
    const dark = this.image(...at('logo_dark'));
    const light = this.image(...at('logo')) ?? dark;
    const favicon = this.image(...at('favicon'));
    const font = this.font(...at('font'));
    const look = this.look(members, path);
    const radius = this.radius(...at('radius'));
    const heading = this.heading(...at('heading'));
    const links = this.links(...at('links'));
    return {
      ...(light !== undefined && { logo: { light, ...(dark !== undefined && { dark }) } }),
      ...(favicon !== undefined && { favicon }),
      ...(look !== undefined && { look }),
      ...(radius !== undefined && { radius }),
      ...(font !== undefined && { font }),
      ...(heading !== undefined && { heading }),
      ...(links !== undefined && { links }),
    };
  }

  private bytes(value: unknown, path: Path): { readonly extension: string; readonly bytes: Buffer } | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') return this.document.fail(path, 'must be the path of a file');
    const file = resolve(this.folder, value);
    try {
      if (statSync(file).size > MAX_FILE_BYTES)
        this.document.fail(path, `${value} is larger than ${MAX_FILE_BYTES / 1024} KiB`);
      return { extension: extname(file).toLowerCase(), bytes: readFileSync(file) };
    } catch (error) {
      if (error instanceof BrandError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      return this.document.fail(path, `${value} cannot be read (${code ?? 'unknown'})`, error);
    }
  }

  private image(value: unknown, path: Path): BrandFile | undefined {
    const file = this.bytes(value, path);
    if (file === undefined) return undefined;
    const checked = checkImage(file.extension, file.bytes);
    return 'file' in checked ? checked.file : this.document.fail(path, `${String(value)} ${checked.problem}`);
  }

  private font(value: unknown, path: Path): BrandFile | undefined {
    const file = this.bytes(value, path);
    if (file === undefined) return undefined;
    if (file.bytes.toString('latin1', 0, 4) !== 'wOF2')
      this.document.fail(path, `${String(value)} is not a WOFF2 font`);
    return { type: 'font/woff2', extension: '.woff2', bytes: file.bytes };
  }

  private look({ accent, colors, theme }: Readonly<Record<string, unknown>>, path: Path): Brand['look'] {
    const known: Theme | undefined = theme === 'light' || theme === 'dark' ? theme : undefined;
    if (theme !== undefined && theme !== 'auto' && known === undefined)
      this.document.fail([...path, 'theme'], 'must be auto, light or dark');
    const named = colors === undefined ? {} : this.document.requireObject(colors, [...path, 'colors'], COLORS);
    const places = new Map<BrandColorName, Path>(COLORS.map((name) => [name, [...path, 'colors', name]]));
    places.set('accent', [...path, 'accent']);
    const found: [BrandColorName, ThemedColor][] = [];
    for (const [name, place] of places) {
      const value = name === 'accent' ? accent : named[name];
      if (value !== undefined) found.push([name, this.color(value, place, known)]);
    }
    if (found.length === 0 && known === undefined) return undefined;
    const look: NonNullable<Brand['look']> = {
      ...(known !== undefined && { theme: known }),
      colors: Object.fromEntries(found) as BrandColors,
    };
    this.checkContrast(look, places);
    return look;
  }

  private color(value: unknown, path: Path, only: Theme | undefined): ThemedColor {
    const themes = this.document.requireObject(value, path, ['light', 'dark']);
    const read = (theme: Theme): string => {
      const color = themes[theme] ?? (only === undefined || only === theme ? undefined : themes[only]);
      if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color))
        return this.document.fail([...path, theme], 'must be a color such as #3b4fd6');
      return color.toLowerCase();
    };
    return { light: read('light'), dark: read('dark') };
  }

  private checkContrast(look: NonNullable<Brand['look']>, places: ReadonlyMap<BrandColorName, Path>): void {
    for (const finding of findWeakColors(look)) {
      if (isUnreadable(finding))
        this.document.fail([...(places.get(finding.name) ?? []), finding.theme], explainFinding(finding));
      this.warnings.push(explainFinding(finding));
    }
  }

  private radius(value: unknown, path: Path): number | undefined {
    if (value === undefined || (typeof value === 'number' && value >= 0 && value <= MAX_RADIUS_PX)) return value;
    return this.document.fail(path, `must be a number of pixels from 0 to ${MAX_RADIUS_PX}`);
  }

  private heading(value: unknown, path: Path): string | undefined {
    if (value === undefined) return undefined;
    const isUsable = typeof value === 'string' && /^[^\p{C}{}]+$/u.test(value) && value.length <= MAX_HEADING_LENGTH;
    return isUsable
      ? value
      : this.document.fail(path, `must be a text of up to ${MAX_HEADING_LENGTH} characters without braces`);
  }

  private links(value: unknown, path: Path): BrandLinks | undefined {
    if (value === undefined) return undefined;
    const links = this.document.requireObject(value, path, LINKS);
    return Object.fromEntries(Object.entries(links).map(([name, url]) => [name, this.url(url, [...path, name])]));
  }

  private url(value: unknown, path: Path): string {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (
      url === undefined ||
      !['https:', 'mailto:'].includes(url.protocol) ||
      url.username !== '' ||
      url.password !== ''
    )
      return this.document.fail(path, 'must be an https or mailto URL');
    return url.href;
  }
}
