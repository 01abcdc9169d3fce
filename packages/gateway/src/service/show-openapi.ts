import type { Handler } from '../runtime/handler.ts';

/** GET /openapi.json: made from the same table that serves. */
export const showOpenApi: Handler<'openapi'> = async ({ openApi }) => ({ status: 200, body: openApi() });
