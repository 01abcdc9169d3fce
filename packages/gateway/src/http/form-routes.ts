import type { IncomingMessage } from 'node:http';

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;

/** Whether a content type is that of an HTML form, in any spelling. */
export function isFormType(contentType: string | undefined): boolean {
  return FORM_TYPE.test(contentType ?? '');
}

const NAME = 'body';
const FORM = 'form';

/** Limits a route to forms. Another route with the same address handles all other bodies. */
export const FORM_CONSTRAINT: Readonly<Record<string, string>> = { [NAME]: FORM };

/** Distinguishes these routes. Add it before them. */
export const FORM_CONSTRAINT_STRATEGY = {
  name: NAME,
  storage<Handler>() {
    const handlers = new Map<unknown, Handler>();
    return {
      get: (kind: unknown) => handlers.get(kind) ?? null,
      set: (kind: unknown, handler: Handler) => void handlers.set(kind, handler),
    };
  },
  deriveConstraint: ({ headers }: Pick<IncomingMessage, 'headers'>) =>
    isFormType(headers['content-type']) ? FORM : undefined,
};
