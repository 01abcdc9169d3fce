/**
 * The brand of pages and messages: its checks, and what Cognito's operations say about it. Nothing here reads a file or a store, so that a
 * service without an embedded pool can use it too.
 */
export {
  BRAND_COLORS,
  type Brand,
  type BrandColorName,
  type BrandColors,
  type BrandFile,
  type BrandLinks,
  BrandProblem,
  MAX_RADIUS_PX,
  type Theme,
  type ThemedColor,
} from './brand.ts';
export { formatBrandFileName, parseBrandFileName } from './brand-file-name.ts';
export { checkImage } from './brand-image.ts';
export { completeColors, explainFinding, findWeakColors, isUnreadable } from './check-colors.ts';
