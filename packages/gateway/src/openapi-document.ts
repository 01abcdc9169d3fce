import { type OpenApiDocument, openApiDocument } from '@poolgate/contract';

/** The OpenAPI document of one service, made when it is asked for first: it takes milliseconds, and anybody may ask. */
export function createOpenApi(apiPrefix: string): () => OpenApiDocument {
  let document: OpenApiDocument | undefined;
  return () => {
    document ??= openApiDocument({ apiPrefix });
    return document;
  };
}
