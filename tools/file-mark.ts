/** The line that a process prints to both of its streams before each of its test files. */
const MARK = '\u0001test file ';

/** Returns the line for a file. */
export const formatMark = (file: string): string => `${MARK}${file}\n`;

/** Splits output by file. */
export function splitOutput(text: string): readonly (readonly [file: string, text: string])[] {
  const [, ...parts] = text.split(MARK);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end + 1)];
  });
}
