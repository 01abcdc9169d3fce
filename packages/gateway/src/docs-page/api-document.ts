import type { Json, OpenApiDocument } from '@poolgate/contract';

/** The parts of a schema that the page shows. */
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

/** A parameter of a path or query. */
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

/** The parts of the document that the page shows, in the form that the contract creates. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ShownSchema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** Types the document by the names of its members. */
export function toApiDocument(document: OpenApiDocument): ApiDocument {
  return document as unknown as ApiDocument;
}

/** Resolves a reference to its schema. */
export function resolveSchema({ components }: ApiDocument, schema: ShownSchema): ShownSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}
