/**
 * A user's identity: attributes, contacts, names, and the Cognito shape of a user. For an unknown name, the pool uses a decoy user that is
 * always the same.
 */

import type { UserRecord } from '../store/records.ts';
import { isActiveUser } from './active-user.ts';
import { toAttributeList } from './attributes.ts';

/** The members that all shapes of a user share. */
export function toCognitoUserFields(user: UserRecord) {
  return {
    Username: user.username,
    UserCreateDate: user.createdAtMs / 1000,
    UserLastModifiedDate: user.modifiedAtMs / 1000,
    Enabled: isActiveUser(user),
    UserStatus: user.status,
  };
}

/**
 * A user in a list (Cognito `UserType`).
 * @param names the requested attributes; all by default
 */
export function toCognitoUser(user: UserRecord, names?: readonly string[]) {
  const all = toAttributeList(user);
  return { ...toCognitoUserFields(user), Attributes: names ? all.filter(({ Name }) => names.includes(Name)) : all };
}
