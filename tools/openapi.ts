/** Writes docs/openapi.json from the contract: the document that a service with default prefixes serves. `--check` only compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '@poolgate/contract';

const target = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(createOpenApiDocument({ apiPrefix: '/api/cognito', webPrefix: '/cognito' }), null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error('docs/openapi.json is stale: run `node tools/openapi.ts` and say in the CHANGELOG what changed');
  process.exitCode = 1;
}
