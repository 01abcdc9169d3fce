import table from '../cognito-ops.json' with { type: 'json' };

/** A shape of the service model: a type and its constraints. */
export interface Shape {
  readonly type: ShapeType;
  /** Minimum length of a string or blob, size of a list or map, or value of an integer. */
  readonly min?: number;
  /** Maximum length, size or value, like `min`. */
  readonly max?: number;
  /** A regular expression in Java's syntax that the whole string must match. */
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly members?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** The shape of a list's items. */
  readonly item?: Shape;
  /** The shape of a map's values. Its keys are strings. */
  readonly value?: Shape;
}

/** The types of the service model. A blob is base64 text, a document is any JSON, and a timestamp is epoch seconds. */
export type ShapeType =
  | 'blob'
  | 'boolean'
  | 'document'
  | 'integer'
  | 'list'
  | 'long'
  | 'map'
  | 'string'
  | 'structure'
  | 'timestamp';

/** An operation of the service model. */
export interface OperationModel {
  readonly auth: 'access_token' | 'access_token_or_session' | 'none' | 'sigv4';
  readonly input: Shape;
  /** Absent if the operation returns an empty body. */
  readonly output?: Shape;
  /** The error names that the operation declares. */
  readonly errors: readonly string[];
}

interface ServiceModel {
  readonly target_prefix: string;
  readonly operations: Readonly<Record<string, OperationModel>>;
}

// The compiler infers one literal type for the whole table, which says less than the shape of its rows.
const MODEL = table as unknown as ServiceModel;

/** The prefix of the operation's name in `X-Amz-Target`, without the dot. */
export const TARGET_PREFIX = MODEL.target_prefix;

/** The model's pattern allows only prefixes, but the service also accepts a custom domain (tflint-ruleset-aws issue 156). */
const DOMAIN_PATTERN = '[a-z0-9](?:[a-z0-9\\-.]{0,61}[a-z0-9])?';

/** Every operation of the Amazon Cognito user-pools API, by name. */
export const OPERATION_MODELS: ReadonlyMap<string, OperationModel> = new Map(
  Object.entries(MODEL.operations).map(([name, model]) => [name, addCustomDomains(model)]),
);

function addCustomDomains(model: OperationModel): OperationModel {
  const { members = {} } = model.input;
  const { Domain } = members;
  if (Domain === undefined) return model;
  return {
    ...model,
    input: { ...model.input, members: { ...members, Domain: { ...Domain, pattern: DOMAIN_PATTERN } } },
  };
}

/**
 * Returns the model of an operation.
 *
 * @throws {RangeError} the service has no such operation
 */
export function requireOperationModel(name: string): OperationModel {
  const model = OPERATION_MODELS.get(name);
  if (model === undefined) throw new RangeError(`name: ${name} is no operation of the service model`);
  return model;
}
