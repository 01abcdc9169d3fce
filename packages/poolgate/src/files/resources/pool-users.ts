import type { Input } from '@poolgate/provider';
import { isPlainObject, type Members, omitMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import type { ResourceIds, ResourcePorts, ResourceReadPorts, ResourceType } from './resource-type.ts';
import { combineShapes, readInputShape, TEXT } from './shapes.ts';

const CREATE_USER = readInputShape('AdminCreateUser');
const toUser = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, Username: physicalId });

function listAttributes({ UserAttributes }: Members): ReadonlyMap<string, string> {
  const items = Array.isArray(UserAttributes) ? UserAttributes.filter(isPlainObject) : [];
  return new Map(items.map(({ Name, Value = '' }) => [String(Name), String(Value)]));
}

/** A password of the file is set once, when the user is created, because users change their passwords. */
async function createUser({ operations, call }: ResourcePorts, ids: ResourceIds, desired: Members): Promise<void> {
  const { Password, ...members } = desired;
  const quiet = Password === undefined ? {} : { MessageAction: 'SUPPRESS' as const };
  const input = { ...quiet, ...members, ...toUser(ids) } as Input<'AdminCreateUser'>;
  await operations.adminCreateUser(input, call);
  if (typeof Password !== 'string') return;
  await operations.adminSetUserPassword({ ...toUser(ids), Password, Permanent: true }, call);
}

/** Users of the pool. Nothing removes them. */
export const USER_POOL_USER: ResourceType = {
  name: 'UserPoolUser',
  title: 'AWS::Cognito::UserPoolUser',
  shape: combineShapes([CREATE_USER], { more: { Password: TEXT }, required: ['Username', 'UserPoolId'] }),
  templateShape: combineShapes([CREATE_USER], { without: ['TemporaryPassword'], required: ['UserPoolId', 'Username'] }),
  nameMember: 'Username',
  fixed: ['Username', 'UserPoolId'],
  secretPaths: ['Password', 'TemporaryPassword'],
  initial: [
    ...['ClientMetadata', 'DesiredDeliveryMediums', 'ForceAliasCreation', 'MessageAction', 'Password'],
    ...['TemporaryPassword', 'ValidationData'],
  ],
  isOwnedByUsers: true,
  async find({ operations, call }, ids) {
    const found = await undefinedIfMissing(operations.adminGetUser(toUser(ids), call));
    if (found === undefined) return undefined;
    return { UserPoolId: ids.poolId, Username: ids.physicalId, UserAttributes: found.UserAttributes };
  },
  create: createUser,
  async update({ operations, call }, ids, { desired, current, changed, isInterrupted }) {
    const { Password } = desired;
    if (isInterrupted && typeof Password === 'string') {
      await operations.adminSetUserPassword({ ...toUser(ids), Password, Permanent: true }, call);
    }
    if (!changed.has('UserAttributes')) return;
    const [wanted, present] = [listAttributes(desired), listAttributes(current)];
    const UserAttributes = [...wanted]
      .filter(([name, value]) => present.get(name) !== value)
      .map(([Name, Value]) => ({ Name, Value }));
    if (UserAttributes.length === 0) return;
    await operations.adminUpdateUserAttributes({ ...toUser(ids), UserAttributes }, call);
  },
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};

const ATTACHMENT_SHAPE = combineShapes([readInputShape('AdminAddUserToGroup')], {
  required: ['GroupName', 'UserPoolId', 'Username'],
});

/** Returns the id of a membership. Both parts are encoded, so that a slash in a group cannot be confused with one in a username. */
export function formatMembershipId(group: string, username: string): string {
  return `${encodeURIComponent(group)}/${encodeURIComponent(username)}`;
}

function toMembership({ poolId, physicalId }: ResourceIds) {
  const [GroupName = '', Username = ''] = physicalId.split('/').map(decodeURIComponent);
  return { UserPoolId: poolId, GroupName, Username };
}

async function isMember({ operations, call }: ResourceReadPorts, ids: ResourceIds): Promise<boolean> {
  const { GroupName, ...user } = toMembership(ids);
  let NextToken: string | undefined;
  do {
    const page = await undefinedIfMissing(
      operations.adminListGroupsForUser({ ...user, Limit: 60, ...(NextToken !== undefined && { NextToken }) }, call),
    );
    if (page?.Groups?.some((group) => group.GroupName === GroupName)) return true;
    NextToken = page?.NextToken;
  } while (NextToken !== undefined);
  return false;
}

/** Memberships of users in groups. */
export const USER_POOL_MEMBERSHIP: ResourceType = {
  name: 'UserPoolUserToGroupAttachment',
  title: 'AWS::Cognito::UserPoolUserToGroupAttachment',
  shape: ATTACHMENT_SHAPE,
  templateShape: ATTACHMENT_SHAPE,
  fixed: ['GroupName', 'UserPoolId', 'Username'],
  secretPaths: [],
  find: async (ports, ids) => ((await isMember(ports, ids)) ? omitMembers(toMembership(ids), []) : undefined),
  async create({ operations, call }, ids) {
    await operations.adminAddUserToGroup(toMembership(ids), call);
  },
  update: () => Promise.resolve(),
  async remove({ operations, call }, ids) {
    await operations.adminRemoveUserFromGroup(toMembership(ids), call);
  },
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};
