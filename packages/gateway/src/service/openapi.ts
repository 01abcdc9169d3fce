import { openApiDocument } from '@poolgate/contract';
import type { Handler } from '../handler.ts';

/** GET /openapi.json: made from the same table that serves. */
export const showOpenApi: Handler<'openapi'> = async ({ settings }) => ({
  status: 200,
  body: openApiDocument({ apiPrefix: settings.apiPrefix }),
});
