import {
  BRAND_COLORS,
  type Brand,
  type BrandColorName,
  type BrandColors,
  type BrandFile,
  type BrandLinks,
  completeColors,
  formatBrandFileName,
  type ThemedColor,
} from '@poolgate/pool/branding';

/** A brand as pages load it. */
export interface RenderedBrand {
  /** By names that change with the content. */
  readonly files: ReadonlyMap<string, Pick<BrandFile, 'type' | 'bytes'>>;
  /** The name of the stylesheet. */
  readonly style: string;
  readonly logo?: string;
  readonly favicon?: string;
  readonly heading?: string;
  readonly links: BrandLinks;
  /** Rules for pages that are rendered without files: errors and OAuth pages. */
  readonly plainStyle: string;
}

type Owner = Parameters<typeof formatBrandFileName>[2];

const SURFACE = { light: '#ffffff', dark: '#161a22' } as const;
/** Cards have larger corner radii than their contents. */
const CARD_RADIUS = 1.8;

const write = ({ light, dark }: ThemedColor): string => (light === dark ? light : `light-dark(${light},${dark})`);

const map = (
  { light, dark }: ThemedColor,
  change: (color: string, theme: keyof ThemedColor) => string,
): ThemedColor => ({
  light: change(light, 'light'),
  dark: change(dark, 'dark'),
});

/**
 * Writes the stylesheet of a brand and names its files. Every rule is one of a fixed list, with colors, numbers and names of files in it.
 * @param assets the folder of the files, with a trailing slash, for pages outside of it
 */
export function renderBrand(brand: Brand, owner: Owner, assets: string): RenderedBrand {
  const files = new Map<string, Pick<BrandFile, 'type' | 'bytes'>>();
  const add = (name: string, file: BrandFile): string => {
    const full = formatBrandFileName(name, file, owner);
    files.set(full, file);
    return full;
  };
  const { theme } = brand.look ?? {};
  const isDark = theme === 'dark' && brand.logo?.dark !== undefined;
  const logo = brand.logo && add('logo', isDark ? (brand.logo.dark ?? brand.logo.light) : brand.logo.light);
  const logoDark = brand.logo?.dark && theme === undefined ? add('logo-dark', brand.logo.dark) : undefined;
  const favicon = brand.favicon && add('favicon', brand.favicon);
  const font = brand.font && add('font', brand.font);
  const shown = { ...brand, logoName: logo, logoDark, fontName: font };
  const bytes = Buffer.from(renderRules(shown).join('\n'));
  const style = add('brand', { type: 'text/css; charset=utf-8', extension: '.css', bytes });
  return {
    files,
    style,
    ...(logo !== undefined && { logo }),
    ...(favicon !== undefined && { favicon }),
    ...(brand.heading !== undefined && { heading: brand.heading }),
    links: brand.links ?? {},
    plainStyle: renderPlainRules(shown, assets).join('\n'),
  };
}

type ShownBrand = Brand & {
  readonly logoName: string | undefined;
  readonly logoDark: string | undefined;
  readonly fontName: string | undefined;
};

function renderRules({ look, radius, logo, logoDark, fontName }: ShownBrand): readonly string[] {
  const colors = look === undefined ? {} : completeColors(look.colors);
  const rules = look === undefined ? [] : renderColors(look.colors);
  if (look?.theme !== undefined) rules.unshift(`html,[data-poolgate]{color-scheme:${look.theme}}`);
  const background = colors.page ?? look?.colors.accent;
  if (background !== undefined)
    rules.push(
      colors.page === undefined ? renderGlow(background) : `html,body[data-poolgate]{background:${write(background)}}`,
    );
  if (radius !== undefined)
    rules.push(`[data-poolgate]{--pg-radius:${radius}px;--pg-radius-large:${Math.round(radius * CARD_RADIUS)}px}`);
  if (fontName !== undefined) {
    rules.push(
      `@font-face{font-family:"Brand";src:url("${fontName}") format("woff2");font-display:swap}`,
      '[data-poolgate]{--pg-font:"Brand",system-ui,sans-serif}',
    );
  }
  if (logo?.background !== undefined)
    rules.push(
      `[data-poolgate] [data-part=logo]{box-sizing:content-box;padding:.5rem .75rem;border-radius:var(--pg-radius);background:${logo.background}}`,
    );
  const plate = findDarkPlate({ look, logo });
  if (plate !== undefined)
    rules.push(
      `@media (prefers-color-scheme:dark){[data-poolgate] [data-part=logo]{box-sizing:content-box;padding:.375rem .625rem;border-radius:var(--pg-radius);background:${plate}}}`,
    );
  if (logoDark !== undefined)
    rules.push(`@media (prefers-color-scheme:dark){[data-poolgate] [data-part=logo]{content:url("${logoDark}")}}`);
  return rules;
}

/**
 * Finds the background of a logo in the dark theme. A logo that is drawn for the light theme only, usually in a dark color, could hardly be
 * seen there, so it gets the surface of the light theme.
 */
function findDarkPlate({
  look,
  logo,
}: { readonly [Name in 'look' | 'logo']: Brand[Name] | undefined }): string | undefined {
  if (logo === undefined || logo.dark !== undefined || logo.background !== undefined) return undefined;
  return look?.theme === undefined ? (look?.colors.surface ?? SURFACE).light : undefined;
}

/** Without a page color, the page has a hint of the accent. */
const renderGlow = (accent: ThemedColor): string =>
  `body[data-poolgate]{background:radial-gradient(60rem 34rem at 85% -12%,color-mix(in srgb,${write(accent)} 14%,transparent),transparent 70%)}`;

function renderColors(own: BrandColors): string[] {
  const colors = completeColors(own);
  const values = (Object.keys(colors) as BrandColorName[]).flatMap((name) => {
    const [variable, color] = [BRAND_COLORS[name], colors[name]];
    return variable === undefined || color === undefined ? [] : [`${variable}:${write(color)}`];
  });
  const { accent, surface = SURFACE, link, field_text: fieldText, text } = colors;
  if (accent !== undefined) {
    if (own.accent_hover === undefined) values.push(`--pg-color-accent-hover:${write(mixHover(accent))}`);
    const soft = map(accent, (color, theme) => `color-mix(in srgb,${color} 12%,${surface[theme]})`);
    values.push(`--pg-color-accent-soft:${write(soft)}`);
  }
  if (own.surface !== undefined && text !== undefined) values.push(...renderLines(own, surface, text));
  return [
    `[data-poolgate]{${values.join(';')}}`,
    ...(own.link === undefined || link === undefined ? [] : [`[data-poolgate] [data-part=link]{color:${write(link)}}`]),
    ...(fieldText === undefined ? [] : [`[data-poolgate] [data-part=input]{color:${write(fieldText)}}`]),
  ];
}

const mixHover = (accent: ThemedColor): ThemedColor =>
  map(accent, (color, theme) => `color-mix(in srgb,${color} 86%,${theme === 'light' ? 'black' : 'white'})`);

/** Mixes lines and raised surfaces from the surface that the brand sets. */
function renderLines(own: BrandColors, surface: ThemedColor, text: ThemedColor): readonly string[] {
  const mix = (share: number): string =>
    write(map(surface, (color, theme) => `color-mix(in srgb,${text[theme]} ${share}%,${color})`));
  return [
    `--pg-color-raised:${mix(5)}`,
    `--pg-color-outline:${mix(20)}`,
    ...(own.border === undefined ? [`--pg-color-border:${mix(12)}`] : []),
    ...(own.field_border === undefined ? [`--pg-color-border-strong:${mix(50)}`] : []),
  ];
}

function renderPlainRules({ look, radius, logo, logoName, logoDark }: ShownBrand, assets: string): readonly string[] {
  const {
    accent,
    on_accent: onAccent,
    page,
    surface,
    text,
    muted,
    link,
  } = look === undefined ? {} : completeColors(look.colors);
  const color = (selector: string, property: string, value: ThemedColor | undefined): readonly string[] =>
    value === undefined ? [] : [`${selector}{${property}:${write(value)}}`];
  const address = (name: string) => `url("${assets}${name}")`;
  const padding =
    logo?.background === undefined
      ? ''
      : `box-sizing:border-box;border:.5rem solid ${logo.background};background-color:${logo.background}!important;`;
  const plate = findDarkPlate({ look, logo });
  return [
    ...(look?.theme === undefined ? [] : [`:root{color-scheme:${look.theme}}`]),
    ...(logoName === undefined
      ? []
      : [
          `main::before{content:"";display:block;height:2.5rem;margin-bottom:1.25rem;${padding}background:${address(logoName)} 0/contain no-repeat}`,
          ...(logoDark === undefined
            ? []
            : [`@media (prefers-color-scheme:dark){main::before{background-image:${address(logoDark)}}}`]),
          ...(plate === undefined
            ? []
            : [
                `@media (prefers-color-scheme:dark){main::before{box-sizing:border-box;border:.375rem solid ${plate};border-radius:.375rem;background-color:${plate}}}`,
              ]),
        ]),
    ...color('body', 'background', page),
    ...color('main', 'background', surface),
    ...color('body', 'color', text),
    ...color('p,small', 'color', muted),
    ...color('a', 'color', link),
    ...(accent === undefined || onAccent === undefined
      ? []
      : [
          `button:first-of-type{background:${write(accent)};color:${write(onAccent)}}`,
          `button:first-of-type:hover{background:${write(look?.colors.accent_hover ?? mixHover(accent))}}`,
          `:focus-visible{outline-color:${write(accent)}}`,
        ]),
    ...(radius === undefined
      ? []
      : [`main{border-radius:${Math.round(radius * CARD_RADIUS)}px}`, `button{border-radius:${radius}px}`]),
  ];
}
