import { type Brand, type BrandColorName, type BrandColors, BrandProblem, MAX_RADIUS_PX, type Theme } from './brand.ts';
import { DEFAULT_COLORS } from './check-colors.ts';

type Json = Readonly<Record<string, unknown>>;
type Mode = 'lightMode' | 'darkMode';

const SECTIONS: ReadonlySet<string> = new Set(['categories', 'componentClasses', 'components']);
const MAX_DEPTH = 12;
const COLOR = /^[0-9a-f]{6}(?:[0-9a-f]{2})?$/i;

/** Where the document of a style has the colors that the pages show. */
const COLOR_PATHS: readonly (readonly [
  name: BrandColorName,
  section: string,
  path: (mode: Mode) => readonly string[],
])[] = [
  ['accent', 'components', (mode) => ['primaryButton', mode, 'defaults', 'backgroundColor']],
  ['accent_hover', 'components', (mode) => ['primaryButton', mode, 'hover', 'backgroundColor']],
  ['on_accent', 'components', (mode) => ['primaryButton', mode, 'defaults', 'textColor']],
  ['link', 'componentClasses', (mode) => ['link', mode, 'defaults', 'textColor']],
  ['page', 'components', (mode) => ['pageBackground', mode, 'color']],
  ['surface', 'components', (mode) => ['form', mode, 'backgroundColor']],
  ['border', 'components', (mode) => ['form', mode, 'borderColor']],
  ['field', 'componentClasses', (mode) => ['input', mode, 'defaults', 'backgroundColor']],
  ['field_border', 'componentClasses', (mode) => ['input', mode, 'defaults', 'borderColor']],
  ['focus', 'componentClasses', (mode) => ['focusState', mode, 'borderColor']],
  ['text', 'components', (mode) => ['pageText', mode, 'headingColor']],
  ['muted', 'components', (mode) => ['pageText', mode, 'descriptionColor']],
];

const THEMES: Readonly<Record<string, Theme | undefined>> = { LIGHT: 'light', DARK: 'dark', DYNAMIC: undefined };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function read(settings: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), settings);
}

/** Reads the document of a managed login style. @throws {BrandProblem} with the path of what is not valid */
export function readManagedSettings(settings: unknown): Json {
  if (!isObject(settings)) throw new BrandProblem('Settings must be an object');
  const unknown = Object.keys(settings).find((name) => !SECTIONS.has(name));
  if (unknown !== undefined) throw new BrandProblem(`Settings.${unknown} is unknown. Use ${[...SECTIONS].join(', ')}`);
  checkMembers(settings, 'Settings', 0);
  return settings;
}

function checkMembers(value: Json | readonly unknown[], path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new BrandProblem(`${path} is nested too deeply`);
  for (const [name, member] of Object.entries(value)) {
    const place = `${path}.${name}`;
    if (/color$/i.test(name) && !(typeof member === 'string' && COLOR.test(member)))
      throw new BrandProblem(`${place} must be a color of eight hexadecimal digits, such as 0972d3ff`);
    if (name === 'borderRadius' && !(typeof member === 'number' && member >= 0 && member <= 1_000))
      throw new BrandProblem(`${place} must be a number of pixels`);
    if (typeof member === 'object' && member !== null) checkMembers(member as Json, place, depth + 1);
  }
  const mode = isObject(value) ? value.colorSchemeMode : undefined;
  if (mode !== undefined && !(typeof mode === 'string' && Object.hasOwn(THEMES, mode)))
    throw new BrandProblem(`${path}.colorSchemeMode must be ${Object.keys(THEMES).join(', ')}`);
}

/** Adds settings to those of a style. Objects are merged, everything else is replaced. */
export function mergeSettings(before: Json, change: Json): Json {
  const merged = Object.entries(change).map(([name, value]) => {
    const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
    return [name, isObject(earlier) && isObject(value) ? mergeSettings(earlier, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(merged) };
}

/** The part of a managed login style that the pages support, without its images. */
export function toManagedBrand(settings: Json): Brand {
  const found = COLOR_PATHS.flatMap(([name, section, path]) => {
    const light = toHexColor(read(settings, [section, ...path('lightMode')]));
    const dark = toHexColor(read(settings, [section, ...path('darkMode')]));
    return light === undefined && dark === undefined ? [] : [[name, { light, dark }] as const];
  });
  const mode = String(read(settings, ['categories', 'global', 'colorSchemeMode']) ?? 'LIGHT');
  const theme = THEMES[mode];
  const colors = fillThemes(found, theme);
  const radius = read(settings, ['componentClasses', 'buttons', 'borderRadius']);
  return {
    ...(Object.keys(colors).length > 0 && { look: { ...(theme && { theme }), colors } }),
    ...(typeof radius === 'number' && { radius: Math.min(radius, MAX_RADIUS_PX) }),
  };
}

/** Whether the style shows the logo of the form. By default, an uploaded logo is shown. */
export const showsFormLogo = (settings: Json): boolean =>
  read(settings, ['components', 'form', 'logo', 'enabled']) !== false;

type PartialColor = { readonly [Name in Theme]: string | undefined };

/** A color of one theme only leaves that of the other as it is on pages without a brand. */
function fillThemes(
  found: readonly (readonly [BrandColorName, PartialColor])[],
  theme: Theme | undefined,
): BrandColors {
  const known = found.filter(([, color]) => theme === undefined || color[theme] !== undefined);
  return Object.fromEntries(
    known.map(([name, { light, dark }]) => {
      const { light: otherLight, dark: otherDark } = DEFAULT_COLORS[name];
      const one = theme === 'dark' ? dark : light;
      return [
        name,
        theme === undefined ? { light: light ?? otherLight, dark: dark ?? otherDark } : { light: one, dark: one },
      ];
    }),
  ) as BrandColors;
}

/** Colors of the document are opaque here, except for those that cannot be seen. */
function toHexColor(value: unknown): string | undefined {
  if (typeof value !== 'string' || !COLOR.test(value) || /00$/.test(value.slice(6))) return undefined;
  return `#${value.slice(0, 6).toLowerCase()}`;
}
