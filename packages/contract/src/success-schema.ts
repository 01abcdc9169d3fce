import type { Schema } from './schema.ts';
import { text } from './schema-parts.ts';

/** The members that every success response must have. */
export const SUCCESS_REQUIRED = ['status', 'message', 'data'] as const;

/** The members of every success response. */
export const successFields = {
  status: { type: 'string', enum: ['success'] },
  message: text,
  data: { type: 'object', properties: {} },
} as const;

/**
 * Creates the schema of a success response with data.
 * @param members the members that are always present
 * @param optional the members that are present when they have a value
 */
export function createSuccessSchema<
  const Members extends Readonly<Record<string, Schema>>,
  const Optional extends Readonly<Record<string, Schema>> = Readonly<Record<never, never>>,
>(members: Members, optional?: Optional) {
  const shown = Object.keys(members) as (keyof Members & string)[];
  return {
    type: 'object',
    required: [...SUCCESS_REQUIRED, ...shown],
    properties: { ...successFields, ...members, ...(optional as Optional) },
  } as const satisfies Schema;
}

/** A success response without data. */
export const success = createSuccessSchema({});
