import * as accountBodies from './account-response-schemas.ts';
import * as adminClientBodies from './admin-client-schemas.ts';
import * as adminIdentityProviderBodies from './admin-identity-provider-schemas.ts';
import * as adminKeyBodies from './admin-key-schemas.ts';
import * as adminPoolBodies from './admin-pool-schemas.ts';
import * as adminBodies from './admin-response-schemas.ts';
import * as consoleBodies from './console-schemas.ts';
import * as deviceBodies from './device-response-schemas.ts';
import * as identityBodies from './identity-response-schemas.ts';
import * as loginBodies from './login-response-schemas.ts';
import * as mfaBodies from './mfa-response-schemas.ts';
import * as passkeyBodies from './passkey-response-schemas.ts';
import * as passwordBodies from './password-response-schemas.ts';
import type { Schema } from './schema.ts';
import * as serviceBodies from './service-response-schemas.ts';
import * as sessionBodies from './session-response-schemas.ts';
import * as successBodies from './success-schema.ts';
import * as userBodies from './user-response-schemas.ts';
import * as webBodies from './web-response-schemas.ts';

/** Whether an export is a schema, as opposed to a function that creates or completes one. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value);
}

/** Converts a name to OpenAPI's component style: `loginOutcome` becomes `LoginOutcome`. */
export function toComponentName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Every file of response schemas. */
const EXPORTS: Readonly<Record<string, unknown>> = {
  ...accountBodies,
  ...adminClientBodies,
  ...adminIdentityProviderBodies,
  ...adminKeyBodies,
  ...adminPoolBodies,
  ...adminBodies,
  ...consoleBodies,
  ...deviceBodies,
  ...identityBodies,
  ...loginBodies,
  ...mfaBodies,
  ...passkeyBodies,
  ...passwordBodies,
  ...serviceBodies,
  ...sessionBodies,
  ...successBodies,
  ...userBodies,
  ...webBodies,
};

/** The named schemas of the OpenAPI document, by name. */
export const NAMED_SCHEMAS: ReadonlyMap<string, Schema> = new Map(
  Object.entries(EXPORTS).flatMap(([name, value]) =>
    isSchema(value) ? [[toComponentName(name), value] as const] : [],
  ),
);
