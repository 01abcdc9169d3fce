/** The kinds of resources that files create, in one table: each kind's members, and how it is read, created, updated and removed. */
import { USER_POOL_IDENTITY_PROVIDER } from './identity-provider.ts';
import { MANAGED_LOGIN_BRANDING, USER_POOL_UI_CUSTOMIZATION } from './pool-appearance.ts';
import { USER_POOL_DOMAIN, USER_POOL_GROUP, USER_POOL_RESOURCE_SERVER } from './pool-resources.ts';
import { USER_POOL_MEMBERSHIP, USER_POOL_USER } from './pool-users.ts';
import type { ResourceType } from './resource-type.ts';
import { LOG_DELIVERY_CONFIGURATION, USER_POOL_RISK_CONFIGURATION } from './stored-configuration.ts';
import { USER_POOL } from './user-pool.ts';
import { USER_POOL_CLIENT } from './user-pool-client.ts';

/** Every kind of resource that files create, owners before what they own. */
export const RESOURCE_TYPES: readonly ResourceType[] = [
  USER_POOL,
  USER_POOL_DOMAIN,
  USER_POOL_RESOURCE_SERVER,
  USER_POOL_IDENTITY_PROVIDER,
  USER_POOL_CLIENT,
  MANAGED_LOGIN_BRANDING,
  USER_POOL_UI_CUSTOMIZATION,
  USER_POOL_RISK_CONFIGURATION,
  LOG_DELIVERY_CONFIGURATION,
  USER_POOL_GROUP,
  USER_POOL_USER,
  USER_POOL_MEMBERSHIP,
];

/** @throws {RangeError} there is no kind with this name */
export function requireResourceType(name: string): ResourceType {
  const type = RESOURCE_TYPES.find((each) => each.name === name);
  if (type === undefined) throw new RangeError(`name: no kind of resource is called ${name}`);
  return type;
}

const COGNITO = 'AWS::Cognito::';

/** Returns the kind of resource with this name in CloudFormation; undefined if there is none. */
function findTemplateType(templateName: string): ResourceType | undefined {
  return RESOURCE_TYPES.find(({ title }) => title === templateName);
}

/** Kinds of user pool resources that this service does not support, and whether each promises security. */
const UNSUPPORTED: ReadonlyMap<string, { readonly promisesSecurity: boolean }> = new Map([
  ['Terms', { promisesSecurity: false }],
  ['UserPoolRegionalConfigurationAttachment', { promisesSecurity: false }],
  ['UserPoolReplica', { promisesSecurity: false }],
]);

/** Contains other resources, which may promise security and would be missing without a word. */
const NESTED_STACK = 'AWS::CloudFormation::Stack';

/** Returns what to do about a resource that is not supported, after a space; empty if the name says enough. */
export function adviseOnUnsupported(templateName: string): string {
  return templateName === NESTED_STACK ? ' Apply its template as a separate stack.' : '';
}

/** How this service treats a kind of resource of a template. */
export type TemplateTypeSupport =
  | { readonly kind: 'supported'; readonly type: ResourceType }
  | { readonly kind: 'unsupported'; readonly promisesSecurity: boolean }
  /** An unknown kind of Cognito: most likely a misspelling. */
  | { readonly kind: 'unknown' }
  /** A resource of another service. */
  | { readonly kind: 'foreign' };

/** Identity pools are a separate service with the same prefix. */
const FOREIGN = /^AWS::Cognito::IdentityPool/;

export function classifyTemplateType(templateName: string): TemplateTypeSupport {
  const type = findTemplateType(templateName);
  if (type !== undefined) return { kind: 'supported', type };
  if (templateName === NESTED_STACK) return { kind: 'unsupported', promisesSecurity: true };
  if (!templateName.startsWith(COGNITO) || FOREIGN.test(templateName)) return { kind: 'foreign' };
  const unsupported = UNSUPPORTED.get(templateName.slice(COGNITO.length));
  return unsupported === undefined ? { kind: 'unknown' } : { kind: 'unsupported', ...unsupported };
}

/** The kinds of Cognito that templates can name, for suggestions. */
export const TEMPLATE_TYPE_NAMES: readonly string[] = [
  ...RESOURCE_TYPES.map(({ title }) => title),
  ...[...UNSUPPORTED.keys()].map((name) => `${COGNITO}${name}`),
];
