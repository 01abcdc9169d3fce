/**
 * Who a user is: attributes, contacts, names, and the Cognito shape of a user. For a name that no user has, the pool answers with a decoy
 * user that is always the same.
 */
import type { UserRecord } from '../store/records.ts';
import { toAttributeList } from './attributes.ts';

/** What all shapes of a user have in common. */
export function toCognitoUserFields(user: UserRecord) {
  return {
    Username: user.username,
    UserCreateDate: user.createdAtMs / 1000,
    UserLastModifiedDate: user.modifiedAtMs / 1000,
    Enabled: user.enabled,
    UserStatus: user.status,
  };
}

/**
 * A user in a list (Cognito `UserType`).
 * @param names the attributes that are wanted; all where it is left out
 */
export function toCognitoUser(user: UserRecord, names?: readonly string[]) {
  const all = toAttributeList(user);
  return { ...toCognitoUserFields(user), Attributes: names ? all.filter(({ Name }) => names.includes(Name)) : all };
}
