import { DOCS_PAGE_POLICY } from '../docs-page/docs-page.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /docs/api: the reference of the routes, from the same table that serves them. */
export const showDocs: Handler<'docs'> = async ({ docsPage }) => ({
  status: 200,
  body: docsPage(),
  headers: { 'content-security-policy': DOCS_PAGE_POLICY },
});
