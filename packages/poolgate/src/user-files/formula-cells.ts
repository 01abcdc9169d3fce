// What a spreadsheet takes for a formula, in the full width of East Asian keyboards too, or passes over to find one (CWE-1236).
const STARTS = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\t\\r\\n]';
// A program whose lists are separated otherwise, as in half of Europe, begins a cell behind these too.
const CELL_BEGINS = '(?<=^|[;|\\t\\r\\n])';
const PASSED_OVER = '[\'"\\0\\v\\f \\u00a0\\u200b\\u2060\\u3000\\ufeff]*';
const FORMULA = new RegExp(`${CELL_BEGINS}(?=${PASSED_OVER}${STARTS})`, 'g');
const NEUTRALISED = new RegExp(`${CELL_BEGINS}'(?=${PASSED_OVER}${STARTS})`, 'g');
const HARMLESS_NUMBER = /^\+\d+$/;

/**
 * A value as a cell that no spreadsheet runs: an apostrophe stands before what could be a formula, and before one that stands
 * there already, so that {@link unescapeFormula} gives every value back. A telephone number is as it is, since Cognito's import reads no other.
 */
export function escapeFormula(value: string): string {
  return HARMLESS_NUMBER.test(value) ? value : value.replace(FORMULA, "'");
}

/** The value of a cell that {@link escapeFormula} wrote. */
export function unescapeFormula(cell: string): string {
  return cell.replace(NEUTRALISED, '');
}
