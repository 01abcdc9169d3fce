import { createClient } from '@poolgate/client';

/** One for the whole application. The service keeps the tokens, and the browser a cookie that no script can read. */
export const client = createClient();
