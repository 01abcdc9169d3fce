import type { Handler } from '../runtime/handler.ts';

/** GET /openapi.json: created from the same table that serves the routes. */
export const showOpenApi: Handler<'openapi'> = async ({ openApi }) => ({ status: 200, body: openApi() });
