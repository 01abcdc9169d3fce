import { createOpenApiDocument, type OpenApiDocument, type OpenApiInfo } from '@poolgate/contract';

/** Creates the OpenAPI document of a service on first use, because it takes milliseconds and anyone may request it. */
export function createOpenApi(info: OpenApiInfo): () => OpenApiDocument {
  let document: OpenApiDocument | undefined;
  return () => {
    document ??= createOpenApiDocument(info);
    return document;
  };
}
