import type { ROUTES, Static } from '@poolgate/contract';
import { type Attribute, mapAttributesByName } from '../users/attributes.ts';

/** The query of a list of users. */
export type UserListQuery = Pick<Static<(typeof ROUTES)['adminUserList']['query']>, 'search' | 'status' | 'group'>;

/** A user in the provider's lists. */
export interface ListedUser {
  readonly Username?: string;
  readonly Attributes?: readonly Attribute[];
  readonly UserStatus?: string;
  readonly Enabled?: boolean;
  readonly UserCreateDate?: number;
  readonly UserLastModifiedDate?: number;
}

/** A condition: how to query it at the provider, and whether a user meets it. */
export interface UserCondition {
  /** In Cognito's filter syntax. */
  readonly filter: string;
  readonly matches: (user: ListedUser) => boolean;
}

/** The query's conditions on single users, the most selective one first. */
export function createUserConditions({ search, status }: UserListQuery): readonly UserCondition[] {
  return [
    ...(search === undefined ? [] : [createSearchCondition(search)]),
    ...(status === undefined ? [] : [createStatusCondition(status)]),
  ];
}

/** The attributes that a search may use, limited to those that Cognito can search. */
const SEARCHABLE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'username',
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
]);

const SUB = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function createSearchCondition(search: string): UserCondition {
  const [, named = '', rest = ''] = /^([a-z_]+):(.+)$/u.exec(search) ?? [];
  if (SEARCHABLE_ATTRIBUTES.has(named)) return createPrefixCondition(named, rest);
  if (SUB.test(search))
    return { filter: `sub = "${search}"`, matches: (user) => readAttribute(user, 'sub') === search };
  return createPrefixCondition(search.startsWith('+') ? 'phone_number' : 'email', search);
}

/** Prevents injection into the filter: quotes and backslashes are not part of a search. */
function createPrefixCondition(attribute: string, text: string): UserCondition {
  const wanted = text.toLowerCase();
  return {
    filter: `${attribute} ^= "${text}"`,
    matches: (user) => readAttribute(user, attribute).toLowerCase().startsWith(wanted),
  };
}

function readAttribute({ Username = '', Attributes }: ListedUser, attribute: string): string {
  return attribute === 'username' ? Username : (mapAttributesByName(Attributes)[attribute] ?? '');
}

function createStatusCondition(status: NonNullable<UserListQuery['status']>): UserCondition {
  switch (status) {
    case 'enabled':
      return { filter: 'status = "Enabled"', matches: ({ Enabled }) => Enabled === true };
    case 'disabled':
      return { filter: 'status = "Disabled"', matches: ({ Enabled }) => Enabled === false };
    default:
      return {
        filter: `cognito:user_status = "${status}"`,
        matches: ({ UserStatus }) => UserStatus === status,
      };
  }
}
