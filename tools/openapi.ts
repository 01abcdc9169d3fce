import { createOpenApiDocument } from '@poolgate/contract';
import type { GeneratedFile } from './generated-files.ts';

/** Generates docs/openapi.json from the contract: the document that a service with default prefixes serves. */
export function generateOpenApi(): readonly GeneratedFile[] {
  const document = createOpenApiDocument({ apiPrefix: '/api/cognito', webPrefix: '/cognito' });
  return [
    {
      file: 'docs/openapi.json',
      text: `${JSON.stringify(document, null, 2)}\n`,
      reminder: 'Describe the change of the API in CHANGELOG.md.',
    },
  ];
}
