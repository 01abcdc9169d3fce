import { ProviderError } from '@poolgate/provider';
import type { PoolReads } from '../store/pool-store.ts';
import type { GroupRecord, PoolRecord } from '../store/records.ts';

/** How many groups a pool can have. */
export const MAX_GROUPS = 10_000;

/** How many groups one user can be in. */
export const MAX_GROUPS_OF_USER = 100;

const MAX_PRECEDENCE = 2_147_483_647;

/** The group in a request. */
export interface GroupInput {
  readonly Description?: string;
  readonly Precedence?: number;
  readonly RoleArn?: string;
}

interface GroupConstraint {
  readonly member: string;
  readonly isSatisfiedBy: (requested: GroupInput & { readonly GroupName: string }) => boolean;
  readonly text: string;
}

const NAME = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;
const ROLE_ARN = /^arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:\d+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?$/;

/** @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateGroup.html */
const CONSTRAINTS: readonly GroupConstraint[] = [
  {
    member: 'groupName',
    isSatisfiedBy: ({ GroupName }) => NAME.test(GroupName),
    text: 'Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+',
  },
  {
    member: 'description',
    isSatisfiedBy: ({ Description = '' }) => Array.from(Description).length <= 2048,
    text: 'Member must have length less than or equal to 2048',
  },
  {
    member: 'precedence',
    isSatisfiedBy: ({ Precedence = 0 }) =>
      Number.isInteger(Precedence) && Precedence >= 0 && Precedence <= MAX_PRECEDENCE,
    text: 'Member must have value greater than or equal to 0',
  },
  {
    member: 'roleArn',
    isSatisfiedBy: ({ RoleArn }) => RoleArn === undefined || (RoleArn.length <= 2048 && ROLE_ARN.test(RoleArn)),
    text: 'Member must satisfy the form of an ARN',
  },
];

/** @throws {ProviderError} `InvalidParameterException`: an invalid name or value */
export function checkGroup(requested: GroupInput & { readonly GroupName: string }): void {
  const broken = CONSTRAINTS.find(({ isSatisfiedBy }) => !isSatisfiedBy(requested));
  if (broken === undefined) return;
  throw new ProviderError(
    'InvalidParameterException',
    `1 validation error detected: Value at '${broken.member}' failed to satisfy constraint: ${broken.text}`,
  );
}

/** A request's change to a group. Omitted members stay unchanged. */
export function toGroupChange({ Description, Precedence, RoleArn }: GroupInput) {
  return {
    ...(Description === undefined ? {} : { description: Description }),
    ...(Precedence === undefined ? {} : { precedence: Precedence }),
    ...(RoleArn === undefined ? {} : { roleArn: RoleArn }),
  };
}

/** @throws {ProviderError} `ResourceNotFoundException`: this pool does not have the group */
export async function requireGroup(
  reads: Pick<PoolReads, 'groups'>,
  pool: PoolRecord,
  name: string,
): Promise<GroupRecord> {
  const group = NAME.test(name) ? await reads.groups.byName(pool.id, name) : undefined;
  if (group === undefined) throw groupNotFoundError();
  return group;
}

/** Cognito's error for a group that does not exist. */
export function groupNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'Group not found.', { reason: 'group_not_found' });
}

/** A group in Cognito's shape (`GroupType`), without empty members. */
export function toCognitoGroup({
  poolId,
  name,
  description,
  precedence,
  roleArn,
  createdAtMs,
  modifiedAtMs,
}: GroupRecord) {
  return {
    GroupName: name,
    UserPoolId: poolId,
    ...(description === null ? {} : { Description: description }),
    ...(roleArn === null ? {} : { RoleArn: roleArn }),
    ...(precedence === null ? {} : { Precedence: precedence }),
    LastModifiedDate: modifiedAtMs / 1000,
    CreationDate: createdAtMs / 1000,
  };
}
