import type { Input } from '@poolgate/provider';
import { isSameValue, type Members, omitMembers, pickMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import type { ResourceIds, ResourcePorts, ResourceReadPorts, ResourceType } from './resource-type.ts';
import { combineShapes, readInputShape } from './shapes.ts';

/** The `ClientId` of what applies to every client without its own value. */
export const ALL_CLIENTS = 'ALL';

/** Returns the ids of a request; it names no client if it is about the whole pool. */
export function toPoolOrClient({ poolId: UserPoolId, physicalId }: ResourceIds) {
  return { UserPoolId, ...(physicalId !== ALL_CLIENTS && { ClientId: physicalId }) };
}

const toClient = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, ClientId: physicalId });
const OWNERS = ['UserPoolId', 'ClientId'] as const;

const STYLE = readInputShape('CreateManagedLoginBranding');
const STYLE_SHAPE = combineShapes([STYLE], { required: OWNERS });
const STYLE_MEMBERS = ['UseCognitoProvidedValues', 'Settings', 'Assets'] as const;

async function findStyle({ operations, call }: ResourceReadPorts, ids: ResourceIds): Promise<Members | undefined> {
  const asked = operations.describeManagedLoginBrandingByClient(toClient(ids), call);
  const found = (await undefinedIfMissing(asked))?.ManagedLoginBranding;
  if (found === undefined) return undefined;
  return { ...toClient(ids), ...pickMembers({ ...found }, ['ManagedLoginBrandingId', ...STYLE_MEMBERS]) };
}

async function createStyle({ operations, call }: ResourcePorts, ids: ResourceIds, desired: Members): Promise<void> {
  const input = { ...desired, ...toClient(ids) } as unknown as Input<'CreateManagedLoginBranding'>;
  await operations.createManagedLoginBranding(input, call);
}

async function removeStyle(ports: ResourcePorts, ids: ResourceIds): Promise<void> {
  const { ManagedLoginBrandingId: id } = (await findStyle(ports, ids)) ?? {};
  if (id === undefined) return;
  const input = { UserPoolId: ids.poolId, ManagedLoginBrandingId: String(id) };
  await ports.operations.deleteManagedLoginBranding(input, ports.call);
}

/** An update keeps settings and images that the request does not name. Removing some of them therefore requires a new style. */
async function updateStyle(
  ports: ResourcePorts,
  ids: ResourceIds,
  { desired, current }: { readonly desired: Members; readonly current: Members },
): Promise<void> {
  const members = pickMembers(desired, STYLE_MEMBERS);
  const input = { UserPoolId: ids.poolId, ManagedLoginBrandingId: current.ManagedLoginBrandingId, ...members };
  await ports.operations.updateManagedLoginBranding(input as Input<'UpdateManagedLoginBranding'>, ports.call);
  const updated = (await findStyle(ports, ids)) ?? {};
  const toStyle = ({ Settings = {}, Assets = [] }: Members) => ({ Settings, Assets });
  if (isSameValue(toStyle(updated), toStyle(desired))) return;
  await removeStyle(ports, ids);
  try {
    await createStyle(ports, ids, desired);
  } catch (error) {
    // Without the settings that the file no longer has, the colors may be unreadable: the pages keep their style.
    await createStyle(ports, ids, pickMembers(current, STYLE_MEMBERS));
    throw error;
  }
}

/** The managed style of the pages of an app client. */
export const MANAGED_LOGIN_BRANDING: ResourceType = {
  name: 'ManagedLoginBranding',
  title: 'AWS::Cognito::ManagedLoginBranding',
  shape: STYLE_SHAPE,
  templateShape: combineShapes([STYLE], {
    // Chooses what CloudFormation reads back.
    more: { ReturnMergedResources: { type: 'boolean' } },
    required: OWNERS,
  }),
  fromTemplate: (members) => omitMembers(members, ['ReturnMergedResources']),
  nameMember: 'ClientId',
  fixed: OWNERS,
  secretPaths: [],
  isRemovedFirst: true,
  find: findStyle,
  create: createStyle,
  update: updateStyle,
  remove: removeStyle,
  readAttributes({ poolId }, { ManagedLoginBrandingId: id = '' }) {
    return { ref: `${poolId}|${id}`, attributes: { ManagedLoginBrandingId: String(id) } };
  },
};

const CLASSIC_SHAPE = combineShapes([readInputShape('SetUICustomization')], {
  // The API returns the address of an image, and no image.
  without: ['ImageFile'],
  required: OWNERS,
});

async function setClassic({ operations, call }: ResourcePorts, ids: ResourceIds, { CSS }: Members): Promise<void> {
  const input = { ...toClient(ids), ...(CSS !== undefined && { CSS: String(CSS) }) };
  await operations.setUICustomization(input, call);
}

/** The classic style of the pages of an app client, or of all clients of a pool. */
export const USER_POOL_UI_CUSTOMIZATION: ResourceType = {
  name: 'UserPoolUICustomizationAttachment',
  title: 'AWS::Cognito::UserPoolUICustomizationAttachment',
  shape: CLASSIC_SHAPE,
  templateShape: CLASSIC_SHAPE,
  nameMember: 'ClientId',
  fixed: OWNERS,
  secretPaths: [],
  async find({ operations, call }, ids) {
    const found = await undefinedIfMissing(operations.getUICustomization(toClient(ids), call));
    // A client without a style has that of the pool.
    if (found?.UICustomization.ClientId !== ids.physicalId) return undefined;
    return pickMembers({ ...found.UICustomization }, [...OWNERS, 'CSS']);
  },
  create: setClassic,
  update: (ports, ids, { desired }) => setClassic(ports, ids, desired),
  remove: (ports, ids) => setClassic(ports, ids, {}),
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};
