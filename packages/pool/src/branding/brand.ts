/** The brand of pages and messages. Its colors, images and links are validated, so that they cannot run code or hide text. */

/** A theme of the pages. */
export type Theme = 'light' | 'dark';

/** A color as `#rrggbb` in each theme. */
export type ThemedColor = Readonly<Record<Theme, string>>;

/** The colors that a brand can set, with the custom properties of the elements. */
export const BRAND_COLORS = {
  accent: '--pg-color-accent',
  accent_hover: '--pg-color-accent-hover',
  on_accent: '--pg-color-on-accent',
  link: undefined,
  page: undefined,
  surface: '--pg-color-surface',
  field: '--pg-color-field',
  field_text: undefined,
  text: '--pg-color-text',
  muted: '--pg-color-muted',
  border: '--pg-color-border',
  field_border: '--pg-color-border-strong',
  focus: '--pg-color-focus',
} as const satisfies Record<string, `--pg-${string}` | undefined>;

/** The name of a color that a brand can set. */
export type BrandColorName = keyof typeof BRAND_COLORS;

export type BrandColors = Readonly<Partial<Record<BrandColorName, ThemedColor>>>;

/** An image or a font of a brand. */
export interface BrandFile {
  /** Media type. */
  readonly type: string;
  /** With a leading dot. */
  readonly extension: string;
  readonly bytes: Uint8Array;
}

/** Links below every page. */
export interface BrandLinks {
  readonly terms?: string;
  readonly privacy?: string;
  readonly support?: string;
}

/** A brand. Pages take each member that it lacks from the brand of the pool, and then from that of the service. */
export interface Brand {
  readonly logo?: {
    readonly light: BrandFile;
    /** For the dark theme; absent: the same. */
    readonly dark?: BrandFile;
    /** A color behind the logo. */
    readonly background?: string;
  };
  readonly favicon?: BrandFile;
  readonly look?: {
    /** The only theme; absent: the device decides. */
    readonly theme?: Theme;
    readonly colors: BrandColors;
  };
  /** The radius of fields and buttons in pixels. */
  readonly radius?: number;
  /** WOFF2. */
  readonly font?: BrandFile;
  /** Replaces the title of the sign-in form. */
  readonly heading?: string;
  readonly links?: BrandLinks;
}

/** A brand that cannot be shown. The message says why. */
export class BrandProblem extends Error {
  constructor(problem: string, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause });
    this.name = 'BrandProblem';
  }
}

export const MAX_RADIUS_PX = 24;
