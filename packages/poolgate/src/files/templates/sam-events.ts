import {
  createMapNode,
  createTextNode,
  findMember,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../sources/source-node.ts';

const FUNCTION = 'AWS::Serverless::Function';

/** A pool trigger that a SAM function declares. */
interface PoolTrigger {
  readonly poolId: string;
  readonly trigger: string;
  readonly functionId: string;
  readonly event: SourceNode;
}

function listTexts(node: SourceNode | undefined): readonly string[] {
  if (node?.kind === 'scalar') return [node.text];
  return node?.kind === 'list' ? node.items.flatMap(listTexts) : [];
}

function listTriggers(functionId: string, resource: SourceNode): readonly PoolTrigger[] {
  const type = findMember(resource, 'Type');
  const events = findMember(findMember(resource, 'Properties'), 'Events');
  if (type?.kind !== 'scalar' || type.text !== FUNCTION || events?.kind !== 'map') return [];
  return [...events.entries.values()].flatMap(({ value: event }) => {
    const kind = findMember(event, 'Type');
    const pool = findMember(findMember(findMember(event, 'Properties'), 'UserPool'), 'Ref');
    if (kind?.kind !== 'scalar' || kind.text !== 'Cognito' || pool?.kind !== 'scalar') return [];
    const triggers = listTexts(findMember(findMember(event, 'Properties'), 'Trigger'));
    return triggers.map((trigger) => ({ poolId: pool.text, trigger, functionId, event }));
  });
}

/** Returns a map whose nested map has one more member. */
function withNestedMember(map: MapNode, path: readonly string[], value: SourceNode): MapNode {
  const [name = '', ...rest] = path;
  const before = map.entries.get(name)?.value;
  const inner = before?.kind === 'map' ? before : createMapNode({}, map.place);
  const entry: MapEntry = {
    place: value.place,
    value: rest.length === 0 ? value : withNestedMember(inner, rest, value),
  };
  return { ...map, entries: new Map([...map.entries, [name, entry]]) };
}

/** Returns a template's resources with the events of SAM functions moved to the pool's `LambdaConfig`, as in CloudFormation. */
export function withSamTriggers(resources: MapNode): MapNode {
  const triggers = [...resources.entries].flatMap(([id, { value }]) => listTriggers(id, value));
  return triggers.reduce((before, { poolId, trigger, functionId, event: { place } }) => {
    const attribute = [createTextNode(functionId, place), createTextNode('Arn', place)];
    const arn = createMapNode({ 'Fn::GetAtt': { kind: 'list', items: attribute, place } }, place);
    return before.entries.has(poolId)
      ? withNestedMember(before, [poolId, 'Properties', 'LambdaConfig', trigger], arn)
      : before;
  }, resources);
}
