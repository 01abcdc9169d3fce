import { findSuggestion } from '../../config/suggestion.ts';
import { ALL_CLIENTS } from '../resources/pool-appearance.ts';
import { requireResourceType } from '../resources/resource-types.ts';
import {
  createMapNode,
  createTextNode,
  type MapEntry,
  type MapNode,
  type Place,
  type SourceNode,
} from '../sources/source-node.ts';
import { createSourceProblem } from '../sources/source-problems.ts';
import { listImports, listReferences } from './intrinsics.ts';
import { Parameters } from './parameters.ts';
import type { Declaration, Stack, StackContext } from './stack.ts';
import { createTemplateScope, type TemplateParts } from './template-scope.ts';

/** A kind of child of a pool in Poolgate's own file format. */
export interface ChildKind {
  readonly type: string;
  /** The member that the name in the file sets. */
  readonly nameMember?: string;
}

/** Maps within a pool, by the member that contains them. */
const CHILDREN: ReadonlyMap<string, ChildKind> = new Map([
  ['Clients', { type: 'UserPoolClient' }],
  ['Domains', { type: 'UserPoolDomain', nameMember: 'Domain' }],
  ['Groups', { type: 'UserPoolGroup', nameMember: 'GroupName' }],
  ['IdentityProviders', { type: 'UserPoolIdentityProvider', nameMember: 'ProviderName' }],
  ['ResourceServers', { type: 'UserPoolResourceServer', nameMember: 'Identifier' }],
  ['Users', { type: 'UserPoolUser', nameMember: 'Username' }],
]);

/** The kinds of resources within a pool, by the member that contains them. */
export const POOL_FILE_CHILDREN: readonly (readonly [string, ChildKind])[] = [...CHILDREN];

/** Members of a pool that are separate resources of the API, and their types. They apply to every client without its own. */
export const POOL_FILE_PARTS: ReadonlyMap<string, string> = new Map([
  ['UICustomization', 'UserPoolUICustomizationAttachment'],
  ['RiskConfiguration', 'UserPoolRiskConfigurationAttachment'],
  ['LogDeliveryConfiguration', 'LogDeliveryConfiguration'],
]);

/** The same of an app client. */
export const CLIENT_FILE_PARTS: ReadonlyMap<string, string> = new Map([
  ['ManagedLoginBranding', 'ManagedLoginBranding'],
  ['UICustomization', 'UserPoolUICustomizationAttachment'],
  ['RiskConfiguration', 'UserPoolRiskConfigurationAttachment'],
]);

/** Whether a file has Poolgate's own format. */
export function isPoolsFile(root: MapNode): boolean {
  return root.entries.has('pools');
}

const NO_PARTS: ReadonlyMap<string, string> = new Map();

const ROOT_MEMBERS = ['$schema', 'pools', 'stack'];

function withMembers(node: MapNode, members: Readonly<Record<string, SourceNode>>): MapNode {
  const added = Object.entries(members).map(([name, value]): [string, MapEntry] => [
    name,
    { place: value.place, value },
  ]);
  return { ...node, entries: new Map([...added, ...node.entries]) };
}

function withoutMembers(node: MapNode, names: readonly string[]): MapNode {
  return { ...node, entries: new Map([...node.entries].filter(([name]) => !names.includes(name))) };
}

function requireMap(node: SourceNode, what: string): MapNode {
  if (node.kind === 'map') return node;
  // A key without a value is an object without members.
  if (node.kind === 'scalar' && node.value === null) return createMapNode({}, node.place);
  throw createSourceProblem(node.place, `${what} must be an object.`);
}

const createRef = (logicalId: string, place: Place): MapNode =>
  createMapNode({ Ref: createTextNode(logicalId, place) }, place);

const POOL_NAME = /^\w[\w-]{0,99}$/;

class PoolsFileReader {
  readonly declarations: Declaration[] = [];

  readPool(poolId: string, { place, value }: MapEntry): void {
    if (!POOL_NAME.test(poolId))
      throw createSourceProblem(place, `${poolId} cannot name a pool. Use letters, digits, hyphens and underscores.`);
    const pool = requireMap(value, poolId);
    const settings = withoutMembers(pool, [...CHILDREN.keys(), ...POOL_FILE_PARTS.keys(), 'Id']);
    const named = settings.entries.has('PoolName') ? {} : { PoolName: createTextNode(poolId, place) };
    this.#declare(poolId, 'UserPool', place, withMembers(settings, named), pool.entries.get('Id')?.value, []);
    this.#readParts(pool, poolId, POOL_FILE_PARTS, (at) => ({ UserPoolId: createRef(poolId, at) }));
    for (const [member, kind] of CHILDREN) {
      const children = pool.entries.get(member)?.value;
      if (children === undefined) continue;
      for (const [name, entry] of requireMap(children, member).entries)
        this.#readChild(poolId, member, kind, name, entry);
    }
  }

  #readChild(poolId: string, member: string, kind: ChildKind, name: string, { place, value }: MapEntry): void {
    const child = requireMap(value, `${member}.${name}`);
    const logicalId = `${poolId}.${member}.${name}`;
    const nameMember = kind.nameMember ?? 'ClientName';
    const owner: Record<string, SourceNode> = { UserPoolId: createRef(poolId, place) };
    if (kind.nameMember !== undefined || !child.entries.has(nameMember))
      owner[nameMember] = createTextNode(name, place);
    const parts = kind.type === 'UserPoolClient' ? CLIENT_FILE_PARTS : NO_PARTS;
    const groups = kind.type === 'UserPoolUser' ? ['Groups'] : [];
    const settings = withoutMembers(child, ['Id', ...groups, ...parts.keys()]);
    this.#declare(logicalId, kind.type, place, withMembers(settings, owner), child.entries.get('Id')?.value, []);
    if (kind.type === 'UserPoolUser') this.#readMemberships(poolId, logicalId, child);
    this.#readParts(child, logicalId, parts, (at) => ({
      UserPoolId: createRef(poolId, at),
      ClientId: createRef(logicalId, at),
    }));
  }

  #readParts(
    node: MapNode,
    ownerId: string,
    parts: ReadonlyMap<string, string>,
    createOwner: (place: Place) => Readonly<Record<string, SourceNode>>,
  ): void {
    for (const [member, type] of parts) {
      const entry = node.entries.get(member);
      if (entry === undefined) continue;
      const { place, value } = entry;
      const isForAll = 'ClientId' in (requireResourceType(type).shape.members ?? {});
      const owner = { ...(isForAll && { ClientId: createTextNode(ALL_CLIENTS, place) }), ...createOwner(place) };
      const part = withMembers(requireMap(value, member), owner);
      this.#declare(`${ownerId}.${member}`, type, place, part, undefined, []);
    }
  }

  #readMemberships(poolId: string, userId: string, user: MapNode): void {
    const groups = user.entries.get('Groups')?.value;
    if (groups === undefined) return;
    if (groups.kind !== 'list') throw createSourceProblem(groups.place, 'Groups must be a list of group names.');
    for (const group of groups.items) {
      if (group.kind !== 'scalar') throw createSourceProblem(group.place, 'Groups must be a list of group names.');
      const { place } = group;
      const members = { UserPoolId: createRef(poolId, place), GroupName: group, Username: createRef(userId, place) };
      const node = createMapNode(members, place);
      const groupId = `${poolId}.Groups.${group.text}`;
      this.#declare(`${userId}.Groups.${group.text}`, 'UserPoolUserToGroupAttachment', place, node, undefined, [
        groupId,
      ]);
    }
  }

  #declare(
    logicalId: string,
    type: string,
    place: Place,
    node: MapNode,
    id: SourceNode | undefined,
    more: readonly string[],
  ): void {
    this.declarations.push({
      logicalId,
      type: requireResourceType(type),
      place,
      node,
      names: 'api',
      dependencies: [...listReferences(node), ...more],
      isRetained: false,
      pins: { ...(id && { id }) },
    });
  }
}

/**
 * Reads a file of Poolgate's own format: `pools` at its root, and the names of the API below.
 * @throws {SourceProblems} the structure is invalid; it lists every problem
 */
export function readPoolsFile(name: string, file: string, root: MapNode, context: StackContext): Stack {
  for (const [member, { place }] of root.entries) {
    if (ROOT_MEMBERS.includes(member)) continue;
    const near = findSuggestion(member, ROOT_MEMBERS);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw createSourceProblem(place, `The file has no property ${member}.${hint}`);
  }
  const reader = new PoolsFileReader();
  const pools = requireMap(root.entries.get('pools')?.value ?? createMapNode({}, root.place), 'pools');
  for (const [poolId, entry] of pools.entries) reader.readPool(poolId, entry);
  const parts: TemplateParts = {
    stackName: name,
    context,
    parameters: new Parameters(undefined, new Map()),
    conditions: undefined,
    mappings: undefined,
    declared: new Set(reader.declarations.map(({ logicalId }) => logicalId)),
    foreign: new Map(),
  };
  return {
    name,
    file,
    declarations: reader.declarations,
    skipped: [],
    outputs: [],
    imports: listImports(root),
    allowsPins: context.allowsPins,
    functions: new Map(),
    createScope: (findResource, findExport) => createTemplateScope(parts, findResource, findExport),
  };
}
