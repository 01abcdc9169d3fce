import { findJsonErrorPosition, hasDuplicateMembers } from '@poolgate/provider';

/** The maximum nesting of arrays and objects. No request of the contract needs more than four levels. */
export const MAX_JSON_DEPTH = 16;

/** A text that is not acceptable JSON. Unlike the runtime's own error, it never repeats the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  /** Whether the text is JSON with a duplicate member. */
  readonly isAmbiguous: boolean;

  constructor(message: string, { isAmbiguous = false }: { readonly isAmbiguous?: boolean } = {}) {
    super(message);
    this.isAmbiguous = isAmbiguous;
  }
}

/**
 * Parses JSON and rejects what could cause harm later: deep nesting, members that reach a prototype (`__proto__`, `constructor.prototype`),
 * malformed Unicode, and objects with a duplicate member.
 * @throws {JsonError}
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonError(explainJsonError(text));
  }
  inspect(value, 0);
  if (hasDuplicateMembers(text, value))
    throw new JsonError('The JSON contains a duplicate member.', { isAmbiguous: true });
  return value;
}

function explainJsonError(text: string): string {
  const position = findJsonErrorPosition(text);
  if (position === undefined) return 'The text is not valid JSON.';
  return `The JSON is invalid at line ${position.line}, column ${position.column}.`;
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string') inspectText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_JSON_DEPTH) throw new JsonError('The JSON is nested too deeply.');
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    inspectText(name);
    if (name === '__proto__' || (name === 'constructor' && reachesPrototype(member))) {
      throw new JsonError('The JSON has a member name that is not allowed.');
    }
    inspect(member, depth + 1);
  }
}

function reachesPrototype(member: unknown): boolean {
  return typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype');
}

/** A lone surrogate has no UTF-8 form, so the stored or hashed text would differ from the sent one. */
function inspectText(text: string): void {
  if (!text.isWellFormed()) throw new JsonError('The JSON contains a string that is not valid Unicode.');
}
