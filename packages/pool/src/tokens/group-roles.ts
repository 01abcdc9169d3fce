import type { UserRecord } from '../store/records.ts';

/** What the groups of a user say in tokens. */
export interface GroupRoles {
  /** The first one counts most. */
  readonly names: readonly string[];
  readonly roles: readonly string[];
  /** Undefined where there is none, and where two groups count as much and their roles differ. */
  readonly preferredRole: string | undefined;
}

/**
 * The names of the user's groups, their roles, and the one that counts most.
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
