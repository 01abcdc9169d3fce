import type { CssNode, Declaration, Rule, StyleSheet } from 'css-tree';
import { generate, lexer, parse, walk } from 'css-tree';
import { converter, formatHex, parse as parseColor } from 'culori';
import { type Brand, type BrandColors, BrandProblem, MAX_RADIUS_PX, type ThemedColor } from './brand.ts';
import { computeContrast } from './contrast.ts';

/**
 * The classes of Cognito's classic pages, with their states.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/hosted-ui-classic-branding.html
 */
const SELECTORS: ReadonlySet<string> = new Set(
  [
    'background,banner,errorMessage,idpButton,idpButton:hover,idpDescription,inputField,inputField:focus,label,legalText,logo',
    'passwordCheck-valid,passwordCheck-notValid,redirect,socialButton,socialButton:hover,submitButton,submitButton:hover,textDescription',
  ]
    .flatMap((list) => list.split(','))
    .map((name) => name.replace(/^([\w-]+)(.*)$/, '.$1-customizable$2')),
);

const PROPERTIES: ReadonlySet<string> = new Set(
  [
    'background,background-color,border,border-bottom,border-color,border-left,border-radius,border-right,border-style,border-top,border-width',
    'box-shadow,box-sizing,color,display,font-family,font-size,font-style,font-weight,height,letter-spacing,line-height,margin,margin-bottom',
    'margin-left,margin-right,margin-top,max-height,max-width,min-height,min-width,opacity,outline,outline-color,padding,padding-bottom',
    'padding-left,padding-right,padding-top,text-align,text-decoration,text-transform,width',
  ].flatMap((list) => list.split(',')),
);

const FUNCTIONS: ReadonlySet<string> = new Set(
  'rgb,rgba,hsl,hsla,hwb,lab,lch,oklab,oklch,linear-gradient,radial-gradient,calc,min,max,clamp'.split(','),
);

/** Values by selector and property. */
type Declarations = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The look of classic CSS. */
export interface ClassicLook {
  readonly brand: Pick<Brand, 'look' | 'radius'>;
  /** The color behind the logo. */
  readonly bannerColor: string | undefined;
}

/** Reads the CSS of `SetUICustomization`. @throws {BrandProblem} with the line that is not allowed */
export function parseClassicCss(css: string): ClassicLook {
  const declarations = readDeclarations(css);
  return { brand: toBrand(declarations), bannerColor: readBannerColor(declarations) };
}

const lineOf = ({ loc }: CssNode): string => `line ${loc?.start.line ?? 1}`;

function readDeclarations(css: string): Declarations {
  const found = new Map<string, Map<string, string>>();
  for (const rule of (parseSheet(css) as StyleSheet).children) {
    if (rule.type === 'Comment') continue;
    if (rule.type !== 'Rule') throw new BrandProblem(`${lineOf(rule)}: only rules for Cognito's classes are allowed`);
    const declarations = [...rule.block.children].filter(({ type }) => type !== 'Comment').map(readDeclaration);
    for (const selector of readSelectors(rule)) {
      const values = found.get(selector) ?? new Map<string, string>();
      found.set(selector, values);
      for (const [name, value] of declarations) values.set(name, value);
    }
  }
  return found;
}

function parseSheet(css: string): CssNode {
  try {
    return parse(css, {
      positions: true,
      onParseError: (error) => {
        throw error;
      },
    });
  } catch (error) {
    const { message, line } = error as Error & { readonly line?: number };
    throw new BrandProblem(`line ${line ?? 1}: the CSS is not valid: ${message}`, error);
  }
}

function readSelectors({ prelude }: Rule): readonly string[] {
  if (prelude.type !== 'SelectorList') throw new BrandProblem(`${lineOf(prelude)}: the selector is not valid`);
  return [...prelude.children].map((selector) => {
    const parts = selector.type === 'Selector' ? [...selector.children] : [];
    const text = parts
      .map((part) => {
        if (part.type === 'ClassSelector') return `.${part.name}`;
        return part.type === 'PseudoClassSelector' && part.children === null ? `:${part.name}` : '?';
      })
      .join('');
    if (!SELECTORS.has(text))
      throw new BrandProblem(`${lineOf(selector)}: the selector must be one of ${[...SELECTORS].join(', ')}`);
    return text;
  });
}

function readDeclaration(node: CssNode): readonly [name: string, value: string] {
  if (node.type !== 'Declaration') throw new BrandProblem(`${lineOf(node)}: only declarations are allowed in a rule`);
  const { property } = node;
  if (!PROPERTIES.has(property)) throw new BrandProblem(`${lineOf(node)}: the property ${property} is not allowed`);
  checkValue(node);
  return [property, generate(node.value)];
}

/** A value loads nothing, refers to nothing and is valid for its property. */
function checkValue(node: Declaration): void {
  const refused = (): never => {
    throw new BrandProblem(`${lineOf(node)}: the value of ${node.property} is not allowed`);
  };
  walk(node.value, (part) => {
    if (part.type === 'Url' || part.type === 'Raw') refused();
    if (part.type === 'Function' && !FUNCTIONS.has(part.name.toLowerCase())) refused();
  });
  if (lexer.matchProperty(node.property, node.value).error !== null) refused();
}

const toRgb = converter('rgb');

/** An opaque color as `#rrggbb`; undefined for anything else. */
function toHexColor(text: string | undefined): string | undefined {
  const color = text === undefined ? undefined : parseColor(text.replace(/\s*!important$/i, ''));
  const rgb = color && toRgb(color);
  return rgb === undefined || (rgb.alpha ?? 1) < 1 ? undefined : formatHex(rgb);
}

/** The width and style of a border are dropped. */
const toBorderColor = (border: string | undefined): string | undefined =>
  border
    ?.split(/\s+(?![^(]*\))/)
    .map(toHexColor)
    .find((color) => color !== undefined);

function toRadius(text: string | undefined): number | undefined {
  const [, pixels] = /^(\d+(?:\.\d+)?)(?:px)?$/.exec(text ?? '') ?? [];
  return pixels === undefined ? undefined : Math.min(Number(pixels), MAX_RADIUS_PX);
}

/** The part of the classic look that the pages support. It has a single theme, which is dark if its background is. */
function toBrand(declarations: Declarations): ClassicLook['brand'] {
  const get = (name: string, ...properties: readonly string[]): string | undefined => {
    const [base = '', state = ''] = name.split(':');
    const values = declarations.get(`.${base}-customizable${state && `:${state}`}`);
    return properties.map((property) => values?.get(property)).find((value) => value !== undefined);
  };
  const background = (name: string) => toHexColor(get(name, 'background-color', 'background'));
  const surface = background('background');
  const one = (color: string | undefined): ThemedColor | undefined =>
    color === undefined ? undefined : { light: color, dark: color };
  const all: Partial<Record<keyof BrandColors, ThemedColor | undefined>> = {
    accent: one(background('submitButton')),
    accent_hover: one(background('submitButton:hover')),
    on_accent: one(toHexColor(get('submitButton', 'color'))),
    link: one(toHexColor(get('redirect', 'color'))),
    page: one(surface),
    surface: one(surface),
    field: one(background('inputField')),
    field_text: one(toHexColor(get('inputField', 'color'))),
    field_border: one(toHexColor(get('inputField', 'border-color')) ?? toBorderColor(get('inputField', 'border'))),
    focus: one(toHexColor(get('inputField:focus', 'border-color'))),
    text: one(toHexColor(get('label', 'color'))),
    muted: one(toHexColor(get('textDescription', 'color'))),
  };
  const colors = Object.fromEntries(Object.entries(all).filter(([, color]) => color !== undefined)) as BrandColors;
  const radius = toRadius(get('submitButton', 'border-radius') ?? get('inputField', 'border-radius'));
  return {
    ...(Object.keys(colors).length > 0 && { look: { theme: isDark(surface) ? 'dark' : 'light', colors } }),
    ...(radius !== undefined && { radius }),
  };
}

const isDark = (color: string | undefined): boolean =>
  color !== undefined && computeContrast(color, '#ffffff') > computeContrast(color, '#000000');

function readBannerColor(declarations: Declarations): string | undefined {
  const banner = declarations.get('.banner-customizable');
  return toHexColor(banner?.get('background-color') ?? banner?.get('background'));
}
