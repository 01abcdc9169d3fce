const QUOTE = '"';
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Whether an object in a JSON text, at any depth, has two members of the same name. Parsers differ in which one they use, so a filter in
 * front of the service could read such a request differently.
 *
 * @param text valid JSON
 * @param value the parsed text
 */
export function hasDuplicateMembers(text: string, value: unknown): boolean {
  return countWrittenNames(text) !== countMembers(value);
}

/** In valid JSON, a string is a name exactly if a colon follows it. */
function countWrittenNames(text: string): number {
  let names = 0;
  for (let start = text.indexOf(QUOTE); start !== -1; ) {
    let end = text.indexOf(QUOTE, start + 1);
    while (isEscaped(text, end)) end = text.indexOf(QUOTE, end + 1);
    let next = end + 1;
    while (text.charCodeAt(next) <= SPACE) next += 1;
    if (text.charCodeAt(next) === COLON) names += 1;
    start = text.indexOf(QUOTE, next);
  }
  return names;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Iterates, because recursion would overflow on deep nesting. */
function countMembers(value: unknown): number {
  const unread = [value];
  let members = 0;
  while (unread.length > 0) {
    const next = unread.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inside: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) members += inside.length;
    for (const one of inside) if (typeof one === 'object') unread.push(one);
  }
  return members;
}
