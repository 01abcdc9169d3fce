import type { IncomingMessage } from 'node:http';
import type { OperationName } from '@poolgate/provider';
import { findOperationName } from '@poolgate/provider/aws-json';

/** Operations whose requests contain images. */
const WITH_IMAGES: ReadonlySet<OperationName | undefined> = new Set<OperationName>([
  'CreateManagedLoginBranding',
  'SetUICustomization',
  'UpdateManagedLoginBranding',
]);

const NAME = 'images';
const IMAGES = 'images';

/** Limits a route to these operations. Another route with the same address handles all others. */
export const IMAGE_CONSTRAINT: Readonly<Record<string, string>> = { [NAME]: IMAGES };

/** Distinguishes these routes. Add it before them. */
export const IMAGE_CONSTRAINT_STRATEGY = {
  name: NAME,
  storage<Handler>() {
    const handlers = new Map<unknown, Handler>();
    return {
      get: (kind: unknown) => handlers.get(kind) ?? null,
      set: (kind: unknown, handler: Handler) => void handlers.set(kind, handler),
    };
  },
  deriveConstraint: ({ headers }: Pick<IncomingMessage, 'headers'>) =>
    WITH_IMAGES.has(findOperationName(headers)) ? IMAGES : undefined,
};
