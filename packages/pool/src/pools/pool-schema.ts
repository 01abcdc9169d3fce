import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { AttributeSchema, PoolSettings } from '../settings.ts';
import { STANDARD_ATTRIBUTES } from '../users/attribute-schema.ts';

/** One attribute as a request defines it (Cognito `SchemaAttributeType`). */
export type SchemaItem = NonNullable<Input<'CreateUserPool'>['Schema']>[number];

type SchemaView = NonNullable<NonNullable<Output<'DescribeUserPool'>['UserPool']>['SchemaAttributes']>[number];

/** The part of a pool's settings that says which attributes its users have. */
export type PoolSchema = Pick<PoolSettings, 'customAttributes' | 'requiredAttributes'> &
  Required<Pick<PoolSettings, 'standardAttributes'>>;

const MAX_CUSTOM_ATTRIBUTES = 50;
const MAX_CHARACTERS = 2_048;
const PREFIX = 'custom:';
const WHOLE_NUMBER = /^-?\d{1,15}$/;

/** Fixed in every pool: by them users are told apart, and what they say is proven. */
const UNCHANGEABLE: ReadonlySet<string> = new Set(['sub', 'email_verified', 'phone_number_verified']);

/**
 * The schema of a new pool.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function schemaFrom(items: readonly SchemaItem[] = []): PoolSchema {
  const isStandard = ({ Name = '' }: SchemaItem) => Object.hasOwn(STANDARD_ATTRIBUTES, Name);
  const standard = items.filter(isStandard);
  const own = standard.map((item) => [schemaItemName(item), standardAttribute(item)] as const);
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
 * Custom attributes with further ones. Those that are there stay as they are.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function withCustomAttributes(
  known: PoolSettings['customAttributes'],
  items: readonly SchemaItem[],
): PoolSettings['customAttributes'] {
  const added = items.map(
    (item) => [`${PREFIX}${schemaItemName(item).replace(/^custom:/, '')}`, customAttribute(item)] as const,
  );
  checkDistinct([...Object.keys(known), ...added.map(([name]) => name)]);
  const all = { ...known, ...Object.fromEntries(added) };
  if (Object.keys(all).length > MAX_CUSTOM_ATTRIBUTES) {
    throw invalidParameter(`A user pool can have ${MAX_CUSTOM_ATTRIBUTES} custom attributes at most.`);
  }
  return all;
}

function checkDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidParameter(`${twice}: Existing attribute already has name ${twice}.`);
}

function schemaItemName({ Name }: SchemaItem): string {
  if (Name === undefined || Name === '') throw invalidParameter('Invalid attribute: the name is missing.');
  return Name;
}

function standardAttribute(item: SchemaItem): AttributeSchema {
  const name = schemaItemName(item);
  const standard = STANDARD_ATTRIBUTES[name];
  if (standard === undefined) throw new TypeError('item must be a standard attribute');
  const { AttributeDataType = standard.type, DeveloperOnlyAttribute = false } = item;
  if (AttributeDataType !== standard.type || DeveloperOnlyAttribute) {
    throw invalidParameter(
      `You can not change AttributeDataType or set developerOnlyAttribute for standard schema attribute ${name}`,
    );
  }
  const { Mutable = standard.mutable, Required = standard.required } = item;
  if (UNCHANGEABLE.has(name) && (Mutable !== standard.mutable || Required !== standard.required)) {
    throw invalidParameter(`You can not change Mutable or Required for standard schema attribute ${name}`);
  }
  return { ...standard, ...constraintsOf(name, item), mutable: Mutable, required: Required };
}

function customAttribute(item: SchemaItem): AttributeSchema {
  const name = schemaItemName(item);
  if (item.Required) throw invalidParameter('Required custom attributes are not supported currently.');
  // Of the developer's own attributes this pool knows none: one that anybody could write would be a promise broken.
  if (item.DeveloperOnlyAttribute) throw invalidParameter('Developer-only attributes are not supported currently.');
  const { AttributeDataType: type, Mutable: mutable = true } = item;
  if (type === undefined) {
    throw invalidParameter('Invalid AttributeDataType input, consider using the provided AttributeDataType enum.');
  }
  return { type, mutable, required: false, ...constraintsOf(name, item) };
}

function constraintsOf(name: string, item: SchemaItem) {
  const { MinLength, MaxLength } = item.StringAttributeConstraints ?? {};
  const { MinValue, MaxValue } = item.NumberAttributeConstraints ?? {};
  const lengths = range(name, MinLength, MaxLength);
  const values = range(name, MinValue, MaxValue);
  if ([lengths.least, lengths.most].some((length = 0) => length < 0 || length > MAX_CHARACTERS)) {
    throw invalidParameter(`${name}: String attribute constraints must lie between 0 and ${MAX_CHARACTERS}.`);
  }
  return {
    ...(lengths.least === undefined ? {} : { minLength: lengths.least }),
    ...(lengths.most === undefined ? {} : { maxLength: lengths.most }),
    ...(values.least === undefined ? {} : { minValue: values.least }),
    ...(values.most === undefined ? {} : { maxValue: values.most }),
  };
}

function range(name: string, leastText: string | undefined, mostText: string | undefined) {
  const [least, most] = [leastText, mostText].map((text) => {
    if (text === undefined || text === '') return undefined;
    if (!WHOLE_NUMBER.test(text)) throw invalidParameter(`${name}: Attribute constraints must be whole numbers.`);
    return Number(text);
  });
  if (least !== undefined && most !== undefined && least > most) {
    throw invalidParameter(`${name}: The least value of a constraint must not be above the greatest one.`);
  }
  return { least, most };
}

/** A pool's schema in Cognito's shape: the standard attributes, then its own. */
export function schemaView(settings: PoolSettings): readonly SchemaView[] {
  const { standardAttributes = {}, customAttributes, requiredAttributes } = settings;
  return Object.entries({ ...STANDARD_ATTRIBUTES, ...standardAttributes, ...customAttributes }).map(([name, schema]) =>
    attributeView(name, { ...schema, required: schema.required || requiredAttributes.includes(name) }),
  );
}

function attributeView(name: string, schema: AttributeSchema): SchemaView {
  return {
    Name: name,
    AttributeDataType: schema.type,
    DeveloperOnlyAttribute: false,
    Mutable: schema.mutable,
    Required: schema.required,
    ...(schema.type === 'String' ? { StringAttributeConstraints: lengthsView(schema) } : {}),
    ...(schema.type === 'Number' ? { NumberAttributeConstraints: valuesView(schema) } : {}),
  };
}

function lengthsView({ minLength, maxLength }: AttributeSchema) {
  return {
    ...(minLength === undefined ? {} : { MinLength: String(minLength) }),
    ...(maxLength === undefined ? {} : { MaxLength: String(maxLength) }),
  };
}

function valuesView({ minValue, maxValue }: AttributeSchema) {
  return {
    ...(minValue === undefined ? {} : { MinValue: String(minValue) }),
    ...(maxValue === undefined ? {} : { MaxValue: String(maxValue) }),
  };
}

/**
 * The columns of Cognito's import file: the standard attributes, the pool's own, and what is no attribute.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool.html
 */
export function csvHeader({ customAttributes }: PoolSettings): readonly string[] {
  return [...CSV_ATTRIBUTES, ...Object.keys(customAttributes), 'cognito:mfa_enabled', 'cognito:username'];
}

/** The attributes of every pool that a CSV file of users has a column for, in Cognito's order. */
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

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
