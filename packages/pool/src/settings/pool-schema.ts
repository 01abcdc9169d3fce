import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { AttributeSchema, PoolSettings } from '../store/pool-and-client-settings.ts';
import { STANDARD_ATTRIBUTES } from './attribute-schema.ts';

/** An attribute definition in a request (Cognito `SchemaAttributeType`). */
export type SchemaItem = NonNullable<Input<'CreateUserPool'>['Schema']>[number];

type CognitoSchemaAttribute = NonNullable<
  NonNullable<Output<'DescribeUserPool'>['UserPool']>['SchemaAttributes']
>[number];

/** The settings of a pool that define its users' attributes. */
export type PoolSchema = Pick<PoolSettings, 'customAttributes' | 'requiredAttributes'> &
  Required<Pick<PoolSettings, 'standardAttributes'>>;

const MAX_CUSTOM_ATTRIBUTES = 50;
const MAX_CHARACTERS = 2_048;
const PREFIX = 'custom:';
const DEVELOPER_PREFIX = 'dev:';
const WHOLE_NUMBER = /^-?\d{1,15}$/;

/** Fixed in every pool, because they identify users or are verified. */
const UNCHANGEABLE: ReadonlySet<string> = new Set(['sub', 'email_verified', 'phone_number_verified']);

/**
 * The schema of a new pool.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function parsePoolSchema(items: readonly SchemaItem[] = []): PoolSchema {
  const isStandard = ({ Name = '' }: SchemaItem) => Object.hasOwn(STANDARD_ATTRIBUTES, Name);
  const standard = items.filter(isStandard);
  const own = standard.map((item) => [formatAttributeName(item), parseStandardAttribute(item)] as const);
  checkDistinct(own.map(([name]) => name));
  return {
    standardAttributes: Object.fromEntries(own),
    requiredAttributes: own.filter(([, { required }]) => required).map(([name]) => name),
    customAttributes: withCustomAttributes(
      {},
      items.filter((item) => !isStandard(item)),
    ),
  };
}

/**
 * Adds custom attributes. Existing ones stay unchanged.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function withCustomAttributes(
  known: PoolSettings['customAttributes'],
  items: readonly SchemaItem[],
): PoolSettings['customAttributes'] {
  const added = items.map((item) => [formatCustomName(item), parseCustomAttribute(item)] as const);
  checkDistinct([...Object.keys(known), ...added.map(([name]) => name)]);
  const all = { ...known, ...Object.fromEntries(added) };
  if (Object.keys(all).length > MAX_CUSTOM_ATTRIBUTES) {
    throw invalidParameterError(`A user pool can have ${MAX_CUSTOM_ATTRIBUTES} custom attributes at most.`);
  }
  return all;
}

function checkDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidParameterError(`${twice}: Existing attribute already has name ${twice}.`);
}

function formatAttributeName({ Name }: SchemaItem): string {
  if (Name === undefined || Name === '') throw invalidParameterError('Invalid attribute: the name is missing.');
  return Name;
}

/** An attribute that only administrators write has a special name: `dev:custom:team`. */
function formatCustomName(item: SchemaItem): string {
  const name = `${PREFIX}${formatAttributeName(item).replace(/^custom:/, '')}`;
  return item.DeveloperOnlyAttribute ? `${DEVELOPER_PREFIX}${name}` : name;
}

function parseStandardAttribute(item: SchemaItem): AttributeSchema {
  const name = formatAttributeName(item);
  const standard = STANDARD_ATTRIBUTES[name];
  if (standard === undefined) throw new TypeError('item must be a standard attribute');
  const { AttributeDataType = standard.type, DeveloperOnlyAttribute = false } = item;
  if (AttributeDataType !== standard.type || DeveloperOnlyAttribute) {
    throw invalidParameterError(
      `You can not change AttributeDataType or set developerOnlyAttribute for standard schema attribute ${name}`,
    );
  }
  const { Mutable = standard.mutable, Required = standard.required } = item;
  if (UNCHANGEABLE.has(name) && (Mutable !== standard.mutable || Required !== standard.required)) {
    throw invalidParameterError(`You can not change Mutable or Required for standard schema attribute ${name}`);
  }
  return { ...standard, ...parseConstraints(name, item), mutable: Mutable, required: Required };
}

function parseCustomAttribute(item: SchemaItem): AttributeSchema {
  const name = formatAttributeName(item);
  if (item.Required) throw invalidParameterError('Required custom attributes are not supported currently.');
  const { AttributeDataType: type, Mutable: mutable = true } = item;
  if (type === undefined) {
    throw invalidParameterError('Invalid AttributeDataType input, consider using the provided AttributeDataType enum.');
  }
  const writer = item.DeveloperOnlyAttribute ? { developerOnly: true } : {};
  return { type, mutable, required: false, ...writer, ...parseConstraints(name, item) };
}

function parseConstraints(name: string, item: SchemaItem) {
  const { MinLength, MaxLength } = item.StringAttributeConstraints ?? {};
  const { MinValue, MaxValue } = item.NumberAttributeConstraints ?? {};
  const lengths = parseRange(name, MinLength, MaxLength);
  const values = parseRange(name, MinValue, MaxValue);
  if ([lengths.least, lengths.most].some((length = 0) => length < 0 || length > MAX_CHARACTERS)) {
    throw invalidParameterError(`${name}: String attribute constraints must lie between 0 and ${MAX_CHARACTERS}.`);
  }
  return {
    ...(lengths.least === undefined ? {} : { minLength: lengths.least }),
    ...(lengths.most === undefined ? {} : { maxLength: lengths.most }),
    ...(values.least === undefined ? {} : { minValue: values.least }),
    ...(values.most === undefined ? {} : { maxValue: values.most }),
  };
}

function parseRange(name: string, leastText: string | undefined, mostText: string | undefined) {
  const [least, most] = [leastText, mostText].map((text) => {
    if (text === undefined || text === '') return undefined;
    if (!WHOLE_NUMBER.test(text)) throw invalidParameterError(`${name}: Attribute constraints must be whole numbers.`);
    return Number(text);
  });
  if (least !== undefined && most !== undefined && least > most) {
    throw invalidParameterError(`${name}: The least value of a constraint must not be above the greatest one.`);
  }
  return { least, most };
}

/** A pool's schema in Cognito's shape: the standard attributes, then its own. */
export function toCognitoSchema(settings: PoolSettings): readonly CognitoSchemaAttribute[] {
  const { standardAttributes = {}, customAttributes, requiredAttributes } = settings;
  return Object.entries({ ...STANDARD_ATTRIBUTES, ...standardAttributes, ...customAttributes }).map(([name, schema]) =>
    toCognitoSchemaAttribute(name, { ...schema, required: schema.required || requiredAttributes.includes(name) }),
  );
}

function toCognitoSchemaAttribute(name: string, schema: AttributeSchema): CognitoSchemaAttribute {
  return {
    Name: name,
    AttributeDataType: schema.type,
    DeveloperOnlyAttribute: schema.developerOnly ?? false,
    Mutable: schema.mutable,
    Required: schema.required,
    ...(schema.type === 'String' ? { StringAttributeConstraints: toCognitoLengthConstraints(schema) } : {}),
    ...(schema.type === 'Number' ? { NumberAttributeConstraints: toCognitoNumberConstraints(schema) } : {}),
  };
}

function toCognitoLengthConstraints({ minLength, maxLength }: AttributeSchema) {
  return {
    ...(minLength === undefined ? {} : { MinLength: String(minLength) }),
    ...(maxLength === undefined ? {} : { MaxLength: String(maxLength) }),
  };
}

function toCognitoNumberConstraints({ minValue, maxValue }: AttributeSchema) {
  return {
    ...(minValue === undefined ? {} : { MinValue: String(minValue) }),
    ...(maxValue === undefined ? {} : { MaxValue: String(maxValue) }),
  };
}

/**
 * The columns of Cognito's import file: the standard attributes, the pool's own, and those that are not attributes.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool.html
 */
export function listCsvColumns({ customAttributes }: PoolSettings): readonly string[] {
  return [...CSV_ATTRIBUTES, ...Object.keys(customAttributes), 'cognito:mfa_enabled', 'cognito:username'];
}

/** The attributes of every pool with a column in a CSV file of users, in Cognito's order. */
export const CSV_ATTRIBUTES = [
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
] as const;

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
