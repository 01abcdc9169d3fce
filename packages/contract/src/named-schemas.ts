import * as clientBodies from './admin-client-schemas.ts';
import * as identityProviderBodies from './admin-identity-provider-schemas.ts';
import * as poolBodies from './admin-pool-schemas.ts';
import * as adminBodies from './admin-response-schemas.ts';
import * as passkeyBodies from './passkey-response-schemas.ts';
import * as bodies from './response-schemas.ts';
import type { Schema } from './schema.ts';
import * as webBodies from './web-response-schemas.ts';

/** Whether an export is a schema, as opposed to a function that creates or completes one. */
function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value);
}

/** Converts a name to OpenAPI's component style: `loginOutcome` becomes `LoginOutcome`. */
export function toComponentName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const EXPORTS: Readonly<Record<string, unknown>> = {
  ...bodies,
  ...passkeyBodies,
  ...adminBodies,
  ...clientBodies,
  ...poolBodies,
  ...identityProviderBodies,
  ...webBodies,
};

/** The named schemas of the OpenAPI document, by name. */
export const NAMED_SCHEMAS: ReadonlyMap<string, Schema> = new Map(
  Object.entries(EXPORTS).flatMap(([name, value]) =>
    isSchema(value) ? [[toComponentName(name), value] as const] : [],
  ),
);
