// Characters that start a formula in a spreadsheet, including full-width East Asian forms, and characters that it skips before one
// (CWE-1236).
const STARTS = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\t\\r\\n]';
// Programs with another list separator, as in half of Europe, start a cell after these too.
const CELL_BEGINS = '(?<=^|[;|\\t\\r\\n])';
const PASSED_OVER = '[\'"\\0\\v\\f \\u00a0\\u200b\\u2060\\u3000\\ufeff]*';
const FORMULA = new RegExp(`${CELL_BEGINS}(?=${PASSED_OVER}${STARTS})`, 'g');
const NEUTRALISED = new RegExp(`${CELL_BEGINS}'(?=${PASSED_OVER}${STARTS})`, 'g');
const HARMLESS_NUMBER = /^\+\d+$/;

/**
 * Returns a value as a cell that no spreadsheet runs. An apostrophe precedes a possible formula, and an existing leading apostrophe, so
 * that {@link unescapeFormula} restores every value. Phone numbers stay unchanged, because Cognito's import reads no other form.
 */
export function escapeFormula(value: string): string {
  return HARMLESS_NUMBER.test(value) ? value : value.replace(FORMULA, "'");
}

/** Returns the value of a cell that {@link escapeFormula} wrote. */
export function unescapeFormula(cell: string): string {
  return cell.replace(NEUTRALISED, '');
}
