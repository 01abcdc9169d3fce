import type { IncomingMessage } from 'node:http';

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;

/** Whether a content type is that of a form of HTML, however it is written. */
export function isFormType(contentType: string | undefined): boolean {
  return FORM_TYPE.test(contentType ?? '');
}

const NAME = 'body';
const FORM = 'form';

/** Makes a route one for forms alone. Another route of that address takes every other body. */
export const FORM_CONSTRAINT: Readonly<Record<string, string>> = { [NAME]: FORM };

/** Tells such routes apart. To be added before them. */
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
