import { findJsonErrorPosition, hasDuplicateMembers } from '@poolgate/provider';

/** How deep arrays and objects may be nested; no request of the contract needs more than four. */
export const MAX_JSON_DEPTH = 16;

/** A text that is no acceptable JSON. It never repeats the text, as the runtime's own error does. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  /** Whether the text is JSON, but names a member twice. */
  readonly isAmbiguous: boolean;

  constructor(message: string, { isAmbiguous = false }: { readonly isAmbiguous?: boolean } = {}) {
    super(message);
    this.isAmbiguous = isAmbiguous;
  }
}

/**
 * Parses JSON and refuses what could harm further in: deep nesting, members that reach a prototype
 * (`__proto__`, `constructor.prototype`), texts that are no well-formed Unicode, and objects that name a member twice.
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
  if (hasDuplicateMembers(text, value)) throw new JsonError('The JSON names a member twice.', { isAmbiguous: true });
  return value;
}

function explainJsonError(text: string): string {
  const position = findJsonErrorPosition(text);
  if (position === undefined) return 'The text is not JSON.';
  return `The text stops being JSON at line ${position.line}, column ${position.column}.`;
}

function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string') inspectText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_JSON_DEPTH) throw new JsonError('The JSON is nested too deep.');
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    inspectText(name);
    if (name === '__proto__' || (name === 'constructor' && reachesPrototype(member))) {
      throw new JsonError('The JSON has members that are not allowed.');
    }
    inspect(member, depth + 1);
  }
}

function reachesPrototype(member: unknown): boolean {
  return typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype');
}

/** A lone surrogate has no UTF-8 form: what is stored or hashed would be another text than what was sent. */
function inspectText(text: string): void {
  if (!text.isWellFormed()) throw new JsonError('The JSON holds a text that is no Unicode.');
}
