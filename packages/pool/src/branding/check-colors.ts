import {
  BRAND_COLORS,
  type Brand,
  type BrandColorName,
  type BrandColors,
  type Theme,
  type ThemedColor,
} from './brand.ts';
import { chooseTextColor, computeContrast, READABLE_RATIO, VISIBLE_RATIO } from './contrast.ts';

/** The colors of pages without a brand. */
export const DEFAULT_COLORS: Readonly<Record<BrandColorName, ThemedColor>> = {
  accent: { light: '#3b4fd6', dark: '#93a4ff' },
  accent_hover: { light: '#2f41ba', dark: '#adbaff' },
  on_accent: { light: '#ffffff', dark: '#0b1030' },
  link: { light: '#3b4fd6', dark: '#93a4ff' },
  page: { light: '#f4f5f9', dark: '#0c0f15' },
  surface: { light: '#ffffff', dark: '#161a22' },
  field: { light: '#ffffff', dark: '#10141b' },
  field_text: { light: '#14171f', dark: '#f1f3f8' },
  text: { light: '#14171f', dark: '#f1f3f8' },
  muted: { light: '#565e6e', dark: '#a7b0c0' },
  border: { light: '#e2e5ec', dark: '#2a313e' },
  field_border: { light: '#868e9e', dark: '#6b7588' },
  focus: { light: '#3b4fd6', dark: '#b4c0ff' },
};

/** Creates a color for each theme. */
const inBoth = (create: (theme: Theme) => string): ThemedColor => ({ light: create('light'), dark: create('dark') });

/** A brand that sets only the surface gets the default text color of the theme that is easier to read on it. */
function chooseDefault(name: 'text' | 'muted', surface: ThemedColor): ThemedColor {
  const { light, dark } = DEFAULT_COLORS[name];
  return inBoth((theme) =>
    computeContrast(light, surface[theme]) >= computeContrast(dark, surface[theme]) ? light : dark,
  );
}

/** Colors that follow from others if a brand does not set them. */
const DERIVED: Readonly<Partial<Record<BrandColorName, (colors: BrandColors) => ThemedColor | undefined>>> = {
  on_accent: ({ accent }) => accent && inBoth((theme) => chooseTextColor(accent[theme])),
  link: ({ accent }) => accent,
  focus: ({ accent }) => accent,
  text: ({ surface }) => surface && chooseDefault('text', surface),
  muted: ({ surface }) => surface && chooseDefault('muted', surface),
  field: ({ surface }) => surface,
  field_text: ({ field, surface, text }) =>
    text ?? ((field ?? surface) && chooseDefault('text', field ?? DEFAULT_COLORS.field)),
};

/** Adds the colors that follow from those of the brand. */
export function completeColors(colors: BrandColors): BrandColors {
  const names = Object.keys(BRAND_COLORS) as BrandColorName[];
  const found = names.map((name) => [name, colors[name] ?? DERIVED[name]?.(colors)] as const);
  return Object.fromEntries(found.filter(([, color]) => color !== undefined)) as BrandColors;
}

const BACKGROUNDS = {
  page: 'the page',
  surface: 'the surface',
  field: 'the fields',
  accent: 'the buttons',
} as const;

/** Every text color, with the color behind it. */
const PAIRS: readonly (readonly [front: BrandColorName, back: keyof typeof BACKGROUNDS])[] = [
  ['accent', 'surface'],
  ['on_accent', 'accent'],
  ['link', 'surface'],
  ['text', 'surface'],
  ['field_text', 'field'],
  ['muted', 'surface'],
  ['muted', 'page'],
  ['focus', 'surface'],
];

/** A color that is hard to see. */
export interface ColorFinding {
  /** The color to change. */
  readonly name: BrandColorName;
  readonly theme: Theme;
  readonly ratio: number;
  readonly text: string;
}

/** Finds colors that are hard to see, in every theme that the brand has. */
export function findWeakColors({ theme: only, colors }: NonNullable<Brand['look']>): readonly ColorFinding[] {
  const themes: readonly Theme[] = only === undefined ? ['light', 'dark'] : [only];
  const complete = { ...DEFAULT_COLORS, ...completeColors(colors) };
  return PAIRS.filter(([front, back]) => colors[front] !== undefined || colors[back] !== undefined).flatMap(
    ([front, back]) => {
      const [one, other] = [complete[front], complete[back]];
      const name = colors[front] === undefined ? back : front;
      return themes.flatMap((theme) => {
        const ratio = computeContrast(one[theme], other[theme]);
        const text = `${one[theme]} has a contrast of ${ratio.toFixed(2)}:1 with ${other[theme]}, ${BACKGROUNDS[back]} of the ${theme} theme`;
        return ratio >= READABLE_RATIO ? [] : [{ name, theme, ratio, text }];
      });
    },
  );
}

/** Whether a finding makes a brand unusable. */
export const isUnreadable = ({ ratio }: ColorFinding): boolean => ratio < VISIBLE_RATIO;

/** What is wrong, and what to do about it. */
export function explainFinding(finding: ColorFinding): string {
  return isUnreadable(finding)
    ? `${finding.text}. Choose a color with at least ${VISIBLE_RATIO}:1`
    : `${finding.text}. Text needs ${READABLE_RATIO}:1 to be easy to read.`;
}
