import { checkMembers } from '../resources/check-members.ts';
import { isPlainObject, type Members, omitMembers, UnknownValue } from '../resources/members.ts';
import { formatMembershipId } from '../resources/pool-users.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import type { Place, SourceNode } from '../sources/source-node.ts';
import { type SourceProblem, SourceProblems } from '../sources/source-problems.ts';
import { evaluate, type TemplateScope } from '../templates/intrinsics.ts';
import type { Declaration, Stack } from '../templates/stack.ts';

/** A resource as its file declares it, with every value that is known. */
export interface ResolvedDeclaration {
  readonly declaration: Declaration;
  readonly members: Members;
  readonly places: ReadonlyMap<string, Place>;
  readonly secretPaths: ReadonlySet<string>;
  /** Its id within the pool, if the file sets one. */
  readonly physicalId: string | undefined;
  /** The pool that it belongs to; undefined for pools, and if the pool does not exist yet. */
  readonly poolId: string | undefined;
  /** The id that the file chooses for it. */
  readonly pinnedId: string | undefined;
}

/** The tag by which a template chooses the id of a pool. */
const ID_TAG = 'poolgate:pool-id';

function readPin(node: SourceNode | undefined, scope: TemplateScope): string | undefined {
  const value = node === undefined ? undefined : evaluate(node, scope);
  return value?.kind === 'scalar' ? value.text : undefined;
}

/** The names that CloudFormation generates for resources without one. */
function withNames(declaration: Declaration, members: Members, stackName: string): Members {
  const { type, logicalId } = declaration;
  const generated = `${stackName}-${logicalId}`.replace(/[^\w\s+=,.@-]/g, '-').slice(0, 128);
  const names: Readonly<Record<string, string>> = {
    UserPool: 'PoolName',
    UserPoolClient: 'ClientName',
    UserPoolGroup: 'GroupName',
  };
  const member = names[type.name];
  return member === undefined || members[member] !== undefined ? members : { ...members, [member]: generated };
}

function readPhysicalId({ type }: Declaration, members: Members): string | undefined {
  if (type.name === 'UserPoolUserToGroupAttachment') {
    const { GroupName, Username } = members;
    if (typeof GroupName !== 'string' || typeof Username !== 'string') return undefined;
    return formatMembershipId(GroupName, Username);
  }
  const name = type.nameMember === undefined ? undefined : members[type.nameMember];
  return typeof name === 'string' ? name : undefined;
}

/** Removes the tag that chooses an id from the tags. */
function takeIdTag(members: Members): { readonly members: Members; readonly id: string | undefined } {
  const { UserPoolTags: tags } = members;
  if (!isPlainObject(tags) || typeof tags[ID_TAG] !== 'string') return { members, id: undefined };
  const rest = omitMembers(tags, [ID_TAG]);
  const UserPoolTags = Object.keys(rest).length > 0 ? rest : undefined;
  return { members: omitMembers({ ...members, UserPoolTags }, []), id: tags[ID_TAG] };
}

function listOtherPaths({ otherPaths = new Map() }: ResourceType, paths: ReadonlySet<string>): readonly string[] {
  return [...paths].flatMap((path) =>
    [...otherPaths]
      .filter(([from]) => path === from || path.startsWith(`${from}.`))
      .map(([from, to]) => `${to}${path.slice(from.length)}`),
  );
}

/**
 * Computes the members of a resource.
 * @throws {SourceProblems} members are invalid; it lists every problem
 */
export function resolveDeclaration(
  declaration: Declaration,
  scope: TemplateScope,
  { name: stackName, allowsPins }: Pick<Stack, 'name' | 'allowsPins'>,
): ResolvedDeclaration {
  const { type, node, names, pins, place } = declaration;
  const evaluated = evaluate(node, scope);
  if (evaluated?.kind !== 'map') {
    throw new SourceProblems([{ place, message: `The properties of ${declaration.logicalId} must be an object.` }]);
  }
  const isTemplate = names === 'template';
  const what = isTemplate ? type.title : declaration.logicalId;
  const checked = checkMembers(evaluated, isTemplate ? type.templateShape : type.shape, what);
  const problems: readonly SourceProblem[] = checked.problems;
  if (problems.length > 0) throw new SourceProblems(problems);
  const { members: own, id: taggedId } = takeIdTag(checked.members);
  const converted = isTemplate ? (type.fromTemplate?.(own) ?? own) : own;
  const secret = allowsPins ? readPin(pins.secret, scope) : undefined;
  const members = withNames(declaration, { ...converted, ...(secret && { ClientSecret: secret }) }, stackName);
  const { UserPoolId } = members;
  return {
    declaration,
    members,
    places: checked.places,
    secretPaths: new Set([...type.secretPaths, ...checked.secretPaths, ...listOtherPaths(type, checked.secretPaths)]),
    physicalId: readPhysicalId(declaration, members),
    poolId: typeof UserPoolId === 'string' ? UserPoolId : undefined,
    pinnedId: allowsPins ? (readPin(pins.id, scope) ?? taggedId) : undefined,
  };
}

/** Returns the first member with an unknown value. */
export function findUnknownMember(members: Members): string | undefined {
  return Object.keys(members).find((name) => members[name] instanceof UnknownValue);
}
