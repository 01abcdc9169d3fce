// What a spreadsheet takes for a formula, or passes over to find one (CWE-1236).
const FORMULA = /^'*[=+\-@\t\r\n]/;
const HARMLESS_NUMBER = /^\+\d+$/;
const NEUTRALISED = /^'+[=+\-@\t\r\n]/;

/**
 * A value as a cell that no spreadsheet runs: an apostrophe stands before what could be a formula, and before one that stands
 * there already, so that {@link fromCell} gives every value back. A telephone number is as it is, since Cognito's import reads no other.
 */
export function toCell(value: string): string {
  return FORMULA.test(value) && !HARMLESS_NUMBER.test(value) ? `'${value}` : value;
}

/** The value of a cell that {@link toCell} wrote. */
export function fromCell(cell: string): string {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell;
}
