import { createOpenApiDocument, type OpenApiDocument, type OpenApiInfo } from '@poolgate/contract';

/** The OpenAPI document of one service, made when it is asked for first: it takes milliseconds, and anybody may ask. */
export function createOpenApi(info: OpenApiInfo): () => OpenApiDocument {
  let document: OpenApiDocument | undefined;
  return () => {
    document ??= createOpenApiDocument(info);
    return document;
  };
}
