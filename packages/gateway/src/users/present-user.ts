/** How a user appears in responses, and what several families need from users: attributes, contacts, MFA methods. */
import type { ROUTES, Static } from '@poolgate/contract';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { LocalUserRecord } from '../records/index.ts';
import { type Attribute, mapAttributesByName } from './attributes.ts';

/** A user in routes. */
export type UserBody = Static<(typeof ROUTES)['userProfile']['responses'][200]['schema']>['user'];

/** The provider's data about a user. Only administrators get the optional parts. */
export interface ProviderUser {
  readonly Username: string;
  readonly UserAttributes?: readonly Attribute[] | undefined;
  readonly UserMFASettingList?: readonly string[] | undefined;
  readonly PreferredMfaSetting?: string | undefined;
  readonly UserStatus?: string | undefined;
  readonly Enabled?: boolean | undefined;
  /** Seconds since the epoch. */
  readonly UserCreateDate?: number | undefined;
  readonly UserLastModifiedDate?: number | undefined;
}

/** The gateway's data. A user who was never seen here has neither flag. */
export type LocalFlags = Pick<LocalUserRecord, 'isWebauthnEnabled' | 'passwordResetRequired'>;

/** For a user who was never seen here: neither flag. */
export const NO_LOCAL_FLAGS: LocalFlags = { isWebauthnEnabled: false, passwordResetRequired: false };

/** Returns the `sub` of a user. @throws {GatewayError} provider_error if there is none */
export function requireSub(user: ProviderUser): string {
  const { sub } = mapAttributesByName(user.UserAttributes);
  if (sub === undefined) throw new GatewayError('provider_error');
  return sub;
}

/** The only representation of a user. */
export function presentUser(user: ProviderUser, local: LocalFlags): UserBody {
  const attributes = mapAttributesByName(user.UserAttributes);
  const methods = user.UserMFASettingList ?? [];
  return {
    username: user.Username,
    sub: requireSub(user),
    email: attributes.email ?? null,
    email_verified: attributes.email_verified === 'true',
    ...presentIfDefined('phone_number', attributes.phone_number),
    ...presentIfDefined('status', user.UserStatus),
    ...presentIfDefined('enabled', user.Enabled),
    attributes,
    mfa: { enabled: methods.length > 0, preferred: user.PreferredMfaSetting ?? null, methods },
    is_webauthn_enabled: local.isWebauthnEnabled,
    // The provider's status, if any, has priority.
    password_reset_required:
      user.UserStatus === undefined ? local.passwordResetRequired : user.UserStatus === 'RESET_REQUIRED',
    ...presentIfDefined('created_at', formatIsoTime(user.UserCreateDate)),
    ...presentIfDefined('updated_at', formatIsoTime(user.UserLastModifiedDate)),
  };
}

function presentIfDefined<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value });
}
