/**
 * Characters that control, hide or reverse terminal output: control characters, format characters, unassigned characters, and Unicode line
 * ends.
 */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/u;
const EACH_UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes an untrusted text safe for a terminal: it stays in its line and column and contains no control sequences. */
export function toSingleLine(text: string): string {
  return UNSHOWN.test(text) ? JSON.stringify(text).replace(/[^\x20-\x7e]/g, '?') : text;
}

/** Returns a value as JSON in one line, with such characters escaped. Parsing it returns the same value. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(EACH_UNSHOWN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
