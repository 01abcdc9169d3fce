/**
 * The part of JSON Schema 2020-12 that the contract uses. The same plain object validates requests, appears in the OpenAPI document and
 * gives the TypeScript type. Other keywords are compile errors, because nothing would check them.
 */
export type Schema =
  | StringSchema
  | BooleanSchema
  | IntegerSchema
  | NullSchema
  | ArraySchema
  | ObjectSchema
  | MapSchema
  | AnyOfSchema;

interface SchemaDescription {
  readonly description?: string;
}

export interface StringSchema extends SchemaDescription {
  readonly type: 'string';
  readonly enum?: readonly string[];
  /** In code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMA-262, with the `u` flag. */
  readonly pattern?: string;
}

export interface BooleanSchema extends SchemaDescription {
  readonly type: 'boolean';
}

export interface IntegerSchema extends SchemaDescription {
  readonly type: 'integer';
}

export interface NullSchema extends SchemaDescription {
  readonly type: 'null';
}

export interface ArraySchema extends SchemaDescription {
  readonly type: 'array';
  readonly items: Schema;
  readonly maxItems?: number;
}

/** An object with named members. Other members are ignored, or rejected if `additionalProperties` is false. */
export interface ObjectSchema extends SchemaDescription {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

/** An object with arbitrary member names, whose values share one schema. */
export interface MapSchema extends SchemaDescription {
  readonly type: 'object';
  readonly additionalProperties: Schema;
  readonly maxProperties?: number;
}

/** A value that matches one of several schemas. */
export interface AnyOfSchema extends SchemaDescription {
  readonly anyOf: readonly Schema[];
}

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type ObjectOf<P, Required> = {
  readonly [Name in keyof P as Name extends Required ? Name : never]: Static<P[Name]>;
} & {
  readonly [Name in keyof P as Name extends Required ? never : Name]?: Static<P[Name]>;
};

type Flat<T> = { [Name in keyof T]: T[Name] };

/** The TypeScript type of the values that a schema allows. */
export type Static<S> = S extends { readonly anyOf: readonly (infer Form)[] }
  ? Static<Form>
  : S extends { readonly type: 'string'; readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly type: 'integer' }
          ? number
          : S extends { readonly type: 'null' }
            ? null
            : S extends { readonly type: 'array'; readonly items: infer Item }
              ? readonly Static<Item>[]
              : S extends { readonly type: 'object'; readonly properties: infer P }
                ? Flat<ObjectOf<P, RequiredOf<S>>>
                : S extends { readonly type: 'object'; readonly additionalProperties: infer Value }
                  ? Readonly<Record<string, Static<Value>>>
                  : never;
