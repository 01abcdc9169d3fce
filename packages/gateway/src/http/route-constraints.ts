/** Routes that share an address with others and differ in what a request contains. */
import type { IncomingMessage } from 'node:http';
import type { OperationName } from '@poolgate/provider';
import { findOperationName } from '@poolgate/provider/aws-json';

type RequestHeaders = Pick<IncomingMessage, 'headers'>;

/** The value of every constraint. Requests without it reach the route without a constraint. */
const PRESENT = 'present';

/** Creates the constraint of routes for requests that match, and the strategy that recognizes them. Add the strategy before the routes. */
function createConstraint(name: string, matches: (request: RequestHeaders) => boolean) {
  const constraint: Readonly<Record<string, string>> = { [name]: PRESENT };
  const strategy = {
    name,
    storage<Handler>() {
      const handlers = new Map<unknown, Handler>();
      return {
        get: (value: unknown) => handlers.get(value) ?? null,
        set: (value: unknown, handler: Handler) => void handlers.set(value, handler),
      };
    },
    deriveConstraint: (request: RequestHeaders) => (matches(request) ? PRESENT : undefined),
  };
  return { constraint, strategy };
}

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;

/** Whether a content type is that of an HTML form, in any spelling. */
export function isFormType(contentType: string | undefined): boolean {
  return FORM_TYPE.test(contentType ?? '');
}

/** Operations whose requests contain images. */
const WITH_IMAGES: ReadonlySet<OperationName | undefined> = new Set<OperationName>([
  'CreateManagedLoginBranding',
  'SetUICustomization',
  'UpdateManagedLoginBranding',
]);

/** Routes for bodies of HTML forms. */
export const FORMS = createConstraint('form', ({ headers }) => isFormType(headers['content-type']));

/** Routes for operations whose requests contain images. */
export const IMAGES = createConstraint('images', ({ headers }) => WITH_IMAGES.has(findOperationName(headers)));
