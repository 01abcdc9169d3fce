/** The forms of members that many responses share. */
import type { Schema } from './schema.ts';

/** Text of any form. */
export const text = { type: 'string' } as const satisfies Schema;

export const texts = { type: 'array', items: text } as const satisfies Schema;

/** Texts by name. */
export const stringMap = { type: 'object', additionalProperties: text } as const satisfies Schema;

export const nullableText = { anyOf: [text, { type: 'null' }] } as const satisfies Schema;

/** A time. */
export const time = { type: 'string', description: 'ISO 8601, UTC.' } as const satisfies Schema;

/** A time, or null if there is none. */
export const nullableTime = { ...nullableText, description: 'ISO 8601, UTC.' } as const satisfies Schema;

/** The cursor of a list. */
export const nextCursor = {
  ...nullableText,
  description: 'For the next page, or null on the last one.',
} as const satisfies Schema;
