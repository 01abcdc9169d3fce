import { type Input, ProviderError } from '@poolgate/provider';
import type { FederationType, IdentityProviderSettings, LinkRule } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { isLevelKey } from './acr-levels.ts';
import { findAttributeSchema } from './attribute-schema.ts';
import {
  completeProviderDetails,
  IDENTITY_PROVIDER_TYPES,
  type IdentityProviderType,
} from './identity-provider-types.ts';

/** The members of a request that creates or changes an identity provider. */
export type IdentityProviderInput = Pick<
  Input<'UpdateIdentityProvider'>,
  'ProviderDetails' | 'AttributeMapping' | 'IdpIdentifiers' | 'AcrMapping'
>;

/** The settings of a provider, with the secret apart from them. */
export interface ParsedIdentityProvider {
  readonly settings: IdentityProviderSettings;
  readonly secret: string;
}

/** Addresses that requests go to. */
const URL_DETAILS = ['oidc_issuer', 'authorize_url', 'token_url', 'attributes_url', 'jwks_uri'] as const;

const MAX_DETAIL_LENGTH = 4_096;
const MAX_CLAIM_LENGTH = 256;
const MAX_SCOPES_LENGTH = 1_024;

/**
 * Returns the kind of a new provider, if pools can have such a provider under this name.
 * @throws {ProviderError} `InvalidParameterException`
 */
export function parseProviderType({
  ProviderType,
  ProviderName,
}: Pick<Input<'CreateIdentityProvider'>, 'ProviderType' | 'ProviderName'>): FederationType {
  if (ProviderType === 'SAML') throw invalidParameterError('SAML is not supported by this service.');
  if (ProviderName.toUpperCase() === 'COGNITO') {
    throw invalidParameterError(`The provider name ${ProviderName} is reserved.`);
  }
  if (IDENTITY_PROVIDER_TYPES[ProviderType].hasFixedName && ProviderName !== ProviderType) {
    throw invalidParameterError(`The provider name of type ${ProviderType} must be ${ProviderType}.`);
  }
  return ProviderType;
}

/**
 * Returns the settings of a provider after a request. An omitted member keeps its value.
 * @param before the current settings; undefined for a new provider
 * @param linkRule the new rule; null removes it
 * @throws {ProviderError} `InvalidParameterException`
 */
export function parseIdentityProvider(
  pool: PoolRecord,
  type: FederationType,
  { ProviderDetails, AttributeMapping, IdpIdentifiers, AcrMapping }: IdentityProviderInput,
  before?: ParsedIdentityProvider,
  linkRule: LinkRule | null | undefined = before?.settings.linkRule,
): ParsedIdentityProvider {
  const row = IDENTITY_PROVIDER_TYPES[type];
  const { settings, secret } = before ?? {};
  const parsed = ProviderDetails === undefined ? undefined : parseDetails(type, row, ProviderDetails, secret);
  const attributeMapping =
    AttributeMapping === undefined
      ? (settings?.attributeMapping ?? { username: row.subjectClaim })
      : parseAttributeMapping(pool, row, AttributeMapping);
  return {
    settings: {
      type,
      details: parsed?.details ?? settings?.details ?? {},
      attributeMapping,
      identifiers: IdpIdentifiers === undefined ? (settings?.identifiers ?? []) : parseIdentifiers(IdpIdentifiers),
      ...(AcrMapping === undefined
        ? settings?.acrMapping && { acrMapping: settings.acrMapping }
        : parseAcrMapping(type, AcrMapping)),
      ...(linkRule && { linkRule }),
    },
    secret: parsed?.secret ?? secret ?? '',
  };
}

function parseDetails(
  type: FederationType,
  row: IdentityProviderType,
  given: Readonly<Record<string, string>>,
  earlierSecret: string | undefined,
): { readonly details: Readonly<Record<string, string>>; readonly secret: string } {
  // An update may omit the secret, because describing a provider does not always return it.
  const all = { ...(earlierSecret && { [row.secret]: earlierSecret }), ...given };
  const missing = row.requiredDetails.find((name) => !all[name]);
  if (missing !== undefined) throw invalidParameterError(`${missing} is required in ProviderDetails.`);
  const unknown = Object.keys(given).find((name) => ![...row.requiredDetails, ...row.optionalDetails].includes(name));
  if (unknown !== undefined) throw invalidParameterError(`Unexpected ProviderDetails key: ${unknown}.`);
  const long = Object.keys(given).find((name) => (given[name] ?? '').length > MAX_DETAIL_LENGTH);
  if (long !== undefined) throw invalidParameterError(`ProviderDetails ${long} is too long.`);
  checkScopes(type, all.authorize_scopes ?? '');
  for (const name of URL_DETAILS) checkUrl(name, given[name]);
  checkMethod(given.attributes_request_method);
  const { [row.secret]: secret = '', ...details } = all;
  return { details: completeProviderDetails(type, details), secret };
}

/** OpenID Connect Core §3.1.2.1: without `openid` there is no ID token. Apple's and Google's scopes imply it at Cognito. */
function checkScopes(type: FederationType, scopes: string): void {
  if (scopes.length > MAX_SCOPES_LENGTH || !/^[\x21\x23-\x5B\x5D-\x7E ,]+$/.test(scopes)) {
    throw invalidParameterError('authorize_scopes must be scopes with spaces between them.');
  }
  if (type === 'OIDC' && !scopes.split(' ').includes('openid')) {
    throw invalidParameterError('authorize_scopes must include openid.');
  }
}

function checkUrl(name: string, value: string | undefined): void {
  if (value === undefined) return;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === undefined || !isWeb || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw invalidParameterError(`${name} must be an https URL.`);
  }
  if (name === 'oidc_issuer' && (url.search !== '' || value.endsWith('/.well-known/openid-configuration'))) {
    throw invalidParameterError('oidc_issuer must be the issuer itself, without a query or a discovery path.');
  }
}

function checkMethod(method: string | undefined): void {
  if (method === undefined || method === 'GET' || method === 'POST') return;
  throw invalidParameterError('attributes_request_method must be GET or POST.');
}

/** Attributes that cannot be mapped, because they identify the user. */
const UNMAPPED = new Set(['sub', 'identities']);

function parseAttributeMapping(
  { settings }: PoolRecord,
  { subjectClaim }: IdentityProviderType,
  mapping: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [attribute, claim] of Object.entries(mapping)) {
    if (claim === '' || claim.length > MAX_CLAIM_LENGTH) {
      throw invalidParameterError(
        `The claim for attribute ${attribute} must have 1 to ${MAX_CLAIM_LENGTH} characters.`,
      );
    }
    if (attribute === 'username') {
      if (claim === subjectClaim) continue;
      throw invalidParameterError(`username can only be mapped to ${subjectClaim}.`);
    }
    const schema = UNMAPPED.has(attribute) ? undefined : findAttributeSchema(settings, attribute);
    if (schema === undefined)
      throw invalidParameterError(`Attribute ${attribute} is not in the schema of the user pool.`);
    if (!schema.mutable) throw invalidParameterError(`Attribute ${attribute} is not mutable and cannot be mapped.`);
  }
  return { ...mapping, username: subjectClaim };
}

function parseIdentifiers(identifiers: readonly string[]): readonly string[] {
  const unique = new Set(identifiers.map(toComparableIdentifier));
  if (unique.size === identifiers.length) return identifiers;
  throw invalidParameterError('IdpIdentifiers must be unique within a user pool.');
}

/** A name that means several levels would mean the lowest one. An empty mapping removes it. */
function parseAcrMapping(
  type: FederationType,
  mapping: Readonly<Record<string, string>>,
): Pick<IdentityProviderSettings, 'acrMapping'> {
  const names = Object.values(mapping);
  if (names.length === 0) return {};
  if (type !== 'OIDC') throw invalidParameterError('Only providers of type OIDC can have an AcrMapping.');
  if (!Object.keys(mapping).every(isLevelKey)) throw invalidParameterError('AcrMapping can name Level1 to Level4.');
  const isName = (name: string) => /^[\x21\x23-\x5B\x5D-\x7E]{1,128}$/.test(name);
  if (!names.every(isName) || new Set(names).size < names.length) {
    throw invalidParameterError('Each value of AcrMapping must be unique and have no spaces, quotes or backslashes.');
  }
  return { acrMapping: { ...mapping } };
}

/** Identifiers are often domains of email addresses, which have no case. */
export function toComparableIdentifier(identifier: string): string {
  return identifier.toLowerCase();
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
