/** What a terminal obeys, hides or turns around: controls of either set, formats, unassigned characters, and the line ends of Unicode. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/u;
const EACH_UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text that somebody else wrote, for a terminal: it stays in its line and its column, and writes nothing that a terminal obeys. */
export function toSingleLine(text: string): string {
  return UNSHOWN.test(text) ? JSON.stringify(text).replace(/[^\x20-\x7e]/g, '?') : text;
}

/** A value as JSON in one line, in which such characters are written by their numbers: whoever reads it gets the same value. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(EACH_UNSHOWN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
