import type { Shape } from '@poolgate/provider/aws-json';
import { requireResourceType } from '../resources/resource-types.ts';
import { CLIENT_FILE_PARTS, POOL_FILE_CHILDREN, POOL_FILE_PARTS } from '../templates/read-pools-file.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'integer',
  long: 'integer',
  string: 'string',
};

/** Returns a shape of the API as JSON Schema. */
function toJsonSchema(shape: Shape): JsonSchema {
  if (shape.type === 'structure') {
    const properties = Object.fromEntries(
      Object.entries(shape.members ?? {}).map(([name, member]) => [name, toJsonSchema(member)]),
    );
    const required = shape.required ?? [];
    return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 && { required }) };
  }
  if (shape.type === 'list') return { type: 'array', items: toJsonSchema(shape.item ?? { type: 'document' }) };
  if (shape.type === 'map') {
    return { type: 'object', additionalProperties: toJsonSchema(shape.value ?? { type: 'document' }) };
  }
  const type = SCALARS[shape.type];
  if (type === undefined) return {};
  if (type !== 'integer') return { type, ...(shape.enum && { enum: shape.enum }) };
  return {
    type,
    ...(shape.min !== undefined && { minimum: shape.min }),
    ...(shape.max !== undefined && { maximum: shape.max }),
  };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Returns the schema of a resource in the file. Its position in the file determines its pool and its name. */
function createResourceSchema(type: string, without: readonly string[], more: Readonly<Record<string, JsonSchema>>) {
  const schema = toJsonSchema(requireResourceType(type).shape) as unknown as ObjectSchema;
  const properties = Object.entries(schema.properties).filter(([name]) => !without.includes(name));
  const required = (schema.required ?? []).filter((name) => !without.includes(name));
  return {
    type: ['object', 'null'],
    properties: { ...Object.fromEntries(properties), ...more },
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
}

const ID: JsonSchema = { type: 'string', description: 'The id in development. Production ignores it.' };

/** Returns the schemas of members that are separate resources of the API. */
function createPartSchemas(parts: ReadonlyMap<string, string>): Readonly<Record<string, JsonSchema>> {
  const schemas = [...parts].map(([member, type]) => [
    member,
    createResourceSchema(type, ['UserPoolId', 'ClientId'], {}),
  ]);
  return Object.fromEntries(schemas) as Readonly<Record<string, JsonSchema>>;
}

/** Returns the JSON Schema of Poolgate's own files, for completion in editors. */
export function createPoolsFileSchema(): JsonSchema {
  const client = { Id: ID, ...createPartSchemas(CLIENT_FILE_PARTS) };
  const children = POOL_FILE_CHILDREN.map(([member, { type, nameMember = '' }]) => {
    const groups = { Groups: { type: 'array', items: { type: 'string' }, description: 'Groups of the user.' } };
    const more = type === 'UserPoolUser' ? groups : type === 'UserPoolClient' ? client : {};
    const item = createResourceSchema(type, ['UserPoolId', nameMember], more);
    return [member, { type: 'object', additionalProperties: item }] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Pools of Poolgate',
    description: 'A file for `poolgate apply`. Its members have the names of the Amazon Cognito API.',
    type: 'object',
    required: ['pools'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      stack: { type: 'string', description: 'The name of the stack. The default is the name of the file.' },
      pools: {
        type: 'object',
        additionalProperties: createResourceSchema('UserPool', [], {
          Id: ID,
          ...createPartSchemas(POOL_FILE_PARTS),
          ...Object.fromEntries(children),
        }),
      },
    },
  };
}
