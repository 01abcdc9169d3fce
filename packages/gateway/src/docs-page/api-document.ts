import type { Json, OpenApiDocument } from '@poolgate/contract';

/** A schema of the document, as far as the page shows it. */
export interface ShownSchema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly anyOf?: readonly ShownSchema[];
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[];
  readonly items?: ShownSchema;
  readonly enum?: readonly Json[];
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Content {
  readonly schema: ShownSchema;
  readonly example?: Json;
}

/** A body by content type. */
export type ShownContent = Readonly<Record<string, Content>>;

/** One parameter of a path or a query. */
export interface ShownParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: ShownSchema;
}

/** One method of one path. */
export interface ShownOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly Readonly<Record<string, readonly []>>[];
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly ShownParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: ShownContent };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: ShownContent }>>;
}

/** The document, as far as the page shows it; the contract makes it of this shape. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ShownSchema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** The document by the names of what is in it. */
export function toApiDocument(document: OpenApiDocument): ApiDocument {
  return document as unknown as ApiDocument;
}

/** The schema that a reference stands for. */
export function resolveSchema({ components }: ApiDocument, schema: ShownSchema): ShownSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}
