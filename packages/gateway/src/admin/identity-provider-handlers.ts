import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext, Federation, Input, Output, ProviderLinkRule } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEFAULT_LIMIT, invalidCursorError } from '../kernel/list-cursors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';
import { explainPoolRefusals, type MissingCodes } from './pool-refusals.ts';

type ProviderBody = Static<
  (typeof ROUTES)['adminIdentityProviderGet']['responses'][200]['schema']
>['identity_provider'];
type ProviderChanges = Static<(typeof ROUTES)['adminIdentityProviderUpdate']['body']>;
type Description = Output<'DescribeIdentityProvider'>['IdentityProvider'];

const MISSING_PROVIDER: MissingCodes = {
  identity_provider_not_found: 'identity_provider_not_found',
  other: 'identity_provider_not_found',
};

/** Without these, the first users could not sign in: pools require an email address by default. */
const DEFAULT_MAPPING = { email: 'email', email_verified: 'email_verified' };

/** The details that are secrets. */
const SECRET_NAMES = new Set(['client_secret', 'private_key']);

/** GET /admin/identity-providers. */
export const listIdentityProviders: Handler<'adminIdentityProviderList'> = async (deps, { query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const input = {
    UserPoolId: deps.userPoolId,
    MaxResults: Number(limit),
    ...(cursor === undefined ? {} : { NextToken: cursor }),
  };
  const page = await mapProviderErrors(deps.provider.operations.listIdentityProviders(input, call), {
    InvalidParameterException: invalidCursorError,
  });
  const identity_providers = page.Providers.map(({ ProviderName: name = '', ProviderType: type = '' }) => ({
    name,
    type,
  }));
  const next_cursor = page.NextToken ?? null;
  return {
    status: 200,
    body: { status: 'success', message: 'The identity providers.', data: {}, identity_providers, next_cursor },
  };
};

/** POST /admin/identity-providers. */
export const createIdentityProvider: Handler<'adminIdentityProviderCreate'> = async (deps, { body, call }) => {
  const { name, type, attribute_mapping = DEFAULT_MAPPING, identifiers = [] } = body;
  const input = {
    UserPoolId: deps.userPoolId,
    ProviderName: name,
    ProviderType: type,
    ProviderDetails: mergeDetails(type, {}, body),
    AttributeMapping: attribute_mapping,
    IdpIdentifiers: identifiers,
  };
  const rule = toLinkRule(body);
  const created = rule
    ? requireRules(deps).createProvider({ ...input, LinkRule: rule }, call)
    : deps.provider.operations.createIdentityProvider(input, call);
  const { IdentityProvider } = await explainPoolRefusals(created, {});
  const identity_provider = await presentIdentityProvider(deps, IdentityProvider, call);
  return {
    status: 201,
    body: { status: 'success', message: 'The identity provider was created.', data: {}, identity_provider },
  };
};

/** GET /admin/identity-providers/{provider_name}. */
export const showIdentityProvider: Handler<'adminIdentityProviderGet'> = async (deps, { params, call }) => {
  const described = await describeProvider(deps, params.provider_name, call);
  const identity_provider = await presentIdentityProvider(deps, described, call);
  return { status: 200, body: { status: 'success', message: 'The identity provider.', data: {}, identity_provider } };
};

/** PATCH /admin/identity-providers/{provider_name}: omitted members stay unchanged. */
export const updateIdentityProvider: Handler<'adminIdentityProviderUpdate'> = async (deps, { params, body, call }) => {
  const { ProviderType, ProviderDetails = {} } = await describeProvider(deps, params.provider_name, call);
  const { attribute_mapping, identifiers, details, secret } = body;
  const input: Input<'UpdateIdentityProvider'> = {
    UserPoolId: deps.userPoolId,
    ProviderName: params.provider_name,
    ...((details !== undefined || secret !== undefined) && {
      ProviderDetails: mergeDetails(ProviderType, ProviderDetails, body),
    }),
    ...(attribute_mapping !== undefined && { AttributeMapping: attribute_mapping }),
    ...(identifiers !== undefined && { IdpIdentifiers: identifiers }),
  };
  const rule = toLinkRule(body);
  const updated =
    rule === undefined
      ? deps.provider.operations.updateIdentityProvider(input, call)
      : requireRules(deps).updateProvider({ ...input, LinkRule: rule }, call);
  const { IdentityProvider } = await explainPoolRefusals(updated, MISSING_PROVIDER);
  const identity_provider = await presentIdentityProvider(deps, IdentityProvider, call);
  return {
    status: 200,
    body: { status: 'success', message: 'The identity provider was updated.', data: {}, identity_provider },
  };
};

/** DELETE /admin/identity-providers/{provider_name}. */
export const deleteIdentityProvider: Handler<'adminIdentityProviderDelete'> = async (deps, { params, call }) => {
  const input = { UserPoolId: deps.userPoolId, ProviderName: params.provider_name };
  await explainPoolRefusals(deps.provider.operations.deleteIdentityProvider(input, call), MISSING_PROVIDER);
  return { status: 200, body: { status: 'success', message: 'The identity provider was deleted.', data: {} } };
};

async function describeProvider({ provider, userPoolId }: GatewayDeps, name: string, call: CallContext) {
  const input = { UserPoolId: userPoolId, ProviderName: name };
  const { IdentityProvider } = await explainPoolRefusals(
    provider.operations.describeIdentityProvider(input, call),
    MISSING_PROVIDER,
  );
  return IdentityProvider;
}

/** @throws {GatewayError} `invalid_parameter`: a secret among the details, where logs and diffs would show it */
function mergeDetails(
  type: Description['ProviderType'],
  before: Readonly<Record<string, string>>,
  { details = {}, secret }: Pick<ProviderChanges, 'details' | 'secret'>,
): Record<string, string> {
  const misplaced = Object.keys(details).find((name) => SECRET_NAMES.has(name));
  if (misplaced !== undefined) {
    throw new GatewayError('invalid_parameter', `Send ${misplaced} as secret, not in details.`);
  }
  const secretName = type === 'SignInWithApple' ? 'private_key' : 'client_secret';
  const merged = { ...before, ...details, ...(secret !== undefined && { [secretName]: secret ?? '' }) };
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** @returns the rule of a request; undefined: it names none; null: it removes the rule */
function toLinkRule({ extensions }: Pick<ProviderChanges, 'extensions'>): ProviderLinkRule | null | undefined {
  const { link_rule: rule } = extensions ?? {};
  return rule ? { Attribute: rule.attribute, TrustedClaim: rule.claim } : rule;
}

/** @throws {GatewayError} `feature_disabled`: the provider has no such settings */
function requireRules({ provider }: GatewayDeps): Federation {
  const { federation } = provider.extensions;
  if (federation === undefined) throw new GatewayError('feature_disabled');
  return federation;
}

async function presentExtensions(
  { provider, userPoolId: UserPoolId }: GatewayDeps,
  ProviderName: string,
  call: CallContext,
): Promise<ProviderBody['extensions']> {
  const rule = await provider.extensions.federation?.findLinkRule({ UserPoolId, ProviderName }, call);
  return rule === undefined ? {} : { link_rule: { attribute: rule.Attribute, claim: rule.TrustedClaim } };
}

/** @throws {GatewayError} provider_error if the provider returns none */
async function presentIdentityProvider(
  deps: GatewayDeps,
  described: Partial<Description>,
  call: CallContext,
): Promise<ProviderBody> {
  const { ProviderName, ProviderType, ProviderDetails = {}, AttributeMapping = {}, IdpIdentifiers = [] } = described;
  if (ProviderName === undefined || ProviderType === undefined) throw new GatewayError('provider_error');
  const details = Object.entries(ProviderDetails).filter(([name]) => !SECRET_NAMES.has(name));
  return {
    name: ProviderName,
    type: ProviderType,
    details: Object.fromEntries(details),
    attribute_mapping: AttributeMapping,
    identifiers: IdpIdentifiers,
    extensions: await presentExtensions(deps, ProviderName, call),
    created_at: formatIsoTime(described.CreationDate) ?? null,
    updated_at: formatIsoTime(described.LastModifiedDate) ?? null,
  };
}
