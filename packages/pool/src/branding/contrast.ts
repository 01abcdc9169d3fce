/** Below this ratio text is hard to read (WCAG 2.2, 1.4.3). */
export const READABLE_RATIO = 4.5;
/** Below this ratio not even a button's outline is visible (WCAG 2.2, 1.4.11). */
export const VISIBLE_RATIO = 3;

const BLACK = '#000000';
const WHITE = '#ffffff';

/** The contrast ratio of two colors `#rrggbb` (WCAG 2.2). */
export function computeContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever is easier to read on a color. */
export const chooseTextColor = (background: string): string =>
  computeContrast(background, WHITE) >= computeContrast(background, BLACK) ? WHITE : BLACK;

function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
