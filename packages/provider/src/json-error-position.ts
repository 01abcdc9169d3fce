/** A position in a text, counted from 1 as in editors. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const SPACES = /[ \t\n\r]*/y;
const TOKEN =
  /[{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may follow. */
type Expected = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'comma_or_end' | 'nothing';

/**
 * Returns the position where a text stops being JSON; undefined for valid JSON. The runtime's own message quotes the text, which may
 * contain a secret, and often has no position.
 */
export function findJsonErrorPosition(text: string): TextPosition | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = skip(SPACES, text, 0); ; at = skip(SPACES, text, at)) {
    if (at === text.length) return expected === 'nothing' ? undefined : toPosition(text, at);
    const end = skip(TOKEN, text, at);
    const next: Expected | undefined = end === at ? undefined : readToken(text.charAt(at), expected, open);
    if (next === undefined) return toPosition(text, at);
    expected = next;
    at = end;
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns what may follow a token that starts with this character; undefined if the token is not allowed here. */
function readToken(first: string, expected: Expected, open: string[]): Expected | undefined {
  const isEndAllowed = expected.endsWith('_or_end');
  switch (first) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return undefined;
      open.push(first);
      return first === '{' ? 'name_or_end' : 'value_or_end';
    case '}':
    case ']':
      if (!isEndAllowed || open.at(-1) !== (first === '}' ? '{' : '[')) return undefined;
      open.pop();
      return afterValue(open);
    case ',':
      if (expected !== 'comma_or_end') return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    default:
      if (expected.startsWith('name')) return first === '"' ? 'colon' : undefined;
      return expected.startsWith('value') ? afterValue(open) : undefined;
  }
}

function afterValue(open: readonly string[]): Expected {
  return open.length === 0 ? 'nothing' : 'comma_or_end';
}

function toPosition(text: string, at: number): TextPosition {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
