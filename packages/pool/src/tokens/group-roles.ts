import type { UserRecord } from '../store/records.ts';

/** What a user's groups contribute to tokens. */
export interface GroupRoles {
  /** The first one has the highest precedence. */
  readonly names: readonly string[];
  readonly roles: readonly string[];
  /** Undefined if none exists, or if two groups have the same precedence and different roles. */
  readonly preferredRole: string | undefined;
}

/**
 * The names of the user's groups, their roles, and the preferred one.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-user-groups.html
 */
export function toGroupRoles({ groups }: Pick<UserRecord, 'groups'>): GroupRoles {
  const withRole = groups.flatMap(({ precedence, roleArn }) => (roleArn === null ? [] : [{ precedence, roleArn }]));
  const [first] = withRole;
  const isClear = withRole.every(
    ({ precedence, roleArn }) => precedence !== first?.precedence || roleArn === first.roleArn,
  );
  return {
    names: groups.map(({ name }) => name),
    roles: [...new Set(withRole.map(({ roleArn }) => roleArn))],
    preferredRole: isClear ? first?.roleArn : undefined,
  };
}
