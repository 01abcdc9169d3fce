import type { BrandingAsset, BrandingRecord, ClassicBranding, ManagedBranding } from '../store/records.ts';
import { type Brand, type BrandFile, BrandProblem } from './brand.ts';
import { checkImage } from './brand-image.ts';
import { explainFinding, findWeakColors, isUnreadable } from './check-colors.ts';
import { parseClassicCss } from './classic-css.ts';
import { readManagedSettings, showsFormLogo, toManagedBrand } from './managed-login-settings.ts';

/** A brand of Cognito's operations, and its colors that are hard to read. */
export interface CheckedBrand {
  readonly brand: Brand;
  readonly warnings: readonly string[];
}

/** Checks a classic look. @throws {BrandProblem} */
export function checkClassicBranding({ css, image }: ClassicBranding): CheckedBrand {
  const file = image === undefined ? undefined : readClassicImage(image);
  const { brand, bannerColor } = parseClassicCss(css ?? '');
  const logo = file && { light: file, ...(bannerColor !== undefined && { background: bannerColor }) };
  return checkLook({ ...brand, ...(logo && { logo }) });
}

/** Cognito's classic pages show no other formats. */
const CLASSIC_EXTENSIONS = ['.png', '.jpg'] as const;

function readClassicImage(base64: string): BrandFile {
  const bytes = Buffer.from(base64, 'base64');
  for (const extension of CLASSIC_EXTENSIONS) {
    const checked = checkImage(extension, bytes);
    if ('file' in checked) return checked.file;
  }
  throw new BrandProblem('ImageFile must be a PNG or JPEG image');
}

/** Checks a style of managed login. @throws {BrandProblem} */
export function checkManagedBranding({ settings, assets }: ManagedBranding): CheckedBrand {
  const files = assets.map((asset) => [asset, readAsset(asset)] as const);
  const images = (...categories: readonly string[]) =>
    files.filter(([{ Category }, file]) => file !== undefined && categories.includes(Category));
  const logos = showsFormLogo(settings ?? {}) ? selectLogos(images('FORM_LOGO'), images('PAGE_HEADER_LOGO')) : {};
  const [favicon] = images('FAVICON_SVG', 'FAVICON_ICO');
  const look = settings === undefined ? {} : toManagedBrand(readManagedSettings(settings));
  return checkLook({ ...look, ...logos, ...(favicon?.[1] && { favicon: favicon[1] }) });
}

type AssetFile = readonly [asset: BrandingAsset, file: BrandFile | undefined];

const CATEGORY_EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['FAVICON_ICO', 'ICO'],
  ['FAVICON_SVG', 'SVG'],
]);

function readAsset({ Category, ColorMode, Extension, Bytes, ResourceId }: BrandingAsset): BrandFile | undefined {
  const place = `Assets: ${Category} (${ColorMode})`;
  const required = CATEGORY_EXTENSIONS.get(Category);
  if (required !== undefined && Extension !== required)
    throw new BrandProblem(`${place} must be of the type ${required}`);
  if (Bytes === undefined) {
    if (ResourceId === undefined) throw new BrandProblem(`${place} has neither Bytes nor ResourceId`);
    return undefined;
  }
  const checked = checkImage(`.${Extension.toLowerCase()}`, Buffer.from(Bytes, 'base64'));
  if ('problem' in checked) throw new BrandProblem(`${place} ${checked.problem}`);
  return checked.file;
}

/** The logo of the form, else that of the header, each in the theme that it was made for. */
function selectLogos(...groups: readonly (readonly AssetFile[])[]): Pick<Brand, 'logo'> {
  const logos = groups.find((group) => group.length > 0) ?? [];
  const find = (...modes: readonly string[]): BrandFile | undefined =>
    logos.find(([{ ColorMode }]) => modes.includes(ColorMode))?.[1];
  const light = find('LIGHT', 'DYNAMIC') ?? find('DARK');
  const dark = find('DARK');
  return light === undefined ? {} : { logo: { light, ...(dark && dark !== light && { dark }) } };
}

function checkLook(brand: Brand): CheckedBrand {
  const findings = brand.look === undefined ? [] : findWeakColors(brand.look);
  const refused = findings.find(isUnreadable);
  if (refused !== undefined) throw new BrandProblem(explainFinding(refused));
  return { brand, warnings: findings.map(explainFinding) };
}

/** Reads a stored branding, which was checked when it was stored. */
export function readStoredBrand({ kind, content }: Pick<BrandingRecord, 'kind' | 'content'>): Brand {
  const { brand } =
    kind === 'classic'
      ? checkClassicBranding(content as ClassicBranding)
      : checkManagedBranding(content as ManagedBranding);
  return brand;
}
