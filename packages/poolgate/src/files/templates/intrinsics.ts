import {
  containsSecret,
  createTextNode,
  findOnlyMember,
  type ListNode,
  type Place,
  type ScalarNode,
  type SourceNode,
} from '../sources/source-node.ts';
import { createSourceProblem } from '../sources/source-problems.ts';

/** What the functions of a template can read. `undefined` is `AWS::NoValue`: the member is omitted. */
export interface TemplateScope {
  resolveRef(name: string, place: Place): SourceNode | undefined;
  resolveAttribute(logicalId: string, attribute: string, place: Place): SourceNode;
  isConditionMet(name: string, place: Place): boolean;
  findInMap(map: string, first: string, second: string, place: Place): SourceNode | undefined;
  importValue(name: string, place: Place): SourceNode;
  readVariable(name: string, place: Place): SourceNode;
}

/** Computes one function. */
type Intrinsic = (argument: SourceNode, scope: TemplateScope, place: Place) => SourceNode | undefined;

/**
 * Returns a value with its functions computed; undefined if it is omitted.
 * @throws {SourceProblems} a function is unknown or cannot be computed
 */
export function evaluate(node: SourceNode, scope: TemplateScope): SourceNode | undefined {
  if (node.kind === 'scalar') return refuseDynamicReference(node);
  if (node.kind === 'list') {
    const items = node.items.map((item) => evaluate(item, scope)).filter((item) => item !== undefined);
    return { ...node, items };
  }
  if (node.kind === 'unknown') return node;
  const [name, argument] = findOnlyMember(node) ?? [];
  if (name !== undefined && argument !== undefined && (name.startsWith('Fn::') || name === 'Ref')) {
    const compute = INTRINSICS.get(name);
    if (compute === undefined) throw createSourceProblem(node.place, `The function ${name} is not supported here.`);
    return compute(argument, scope, node.place);
  }
  const entries = [...node.entries].flatMap(([member, { place, value }]) => {
    const evaluated = evaluate(value, scope);
    return evaluated === undefined ? [] : [[member, { place, value: evaluated }] as const];
  });
  return { ...node, entries: new Map(entries) };
}

const DYNAMIC_REFERENCE = /\{\{resolve:([a-z-]+):/;

/** Poolgate cannot read secrets from AWS, and the reference must not become the value of a setting. */
function refuseDynamicReference(node: ScalarNode): ScalarNode {
  const [, service] = DYNAMIC_REFERENCE.exec(node.text) ?? [];
  if (service === undefined) return node;
  const advice = 'Use a parameter of the template and set it with --parameter.';
  throw createSourceProblem(node.place, `References to ${service} cannot be resolved here. ${advice}`);
}

function requireEvaluated(node: SourceNode | undefined, scope: TemplateScope, place: Place): SourceNode {
  const value = node === undefined ? undefined : evaluate(node, scope);
  if (value === undefined) throw createSourceProblem(place, 'The function lacks a value.');
  return value;
}

function requireList(node: SourceNode, place: Place, least: number): ListNode {
  if (node.kind === 'list' && node.items.length >= least) return node;
  throw createSourceProblem(place, `The function takes a list of at least ${least} values.`);
}

function requireText(node: SourceNode, place: Place): string {
  if (node.kind === 'scalar') return node.text;
  throw createSourceProblem(place, 'The function takes a text here.');
}

/** Joins texts. The result is unknown or secret if a part is. */
function concatenate(parts: readonly SourceNode[], separator: SourceNode | undefined, place: Place): SourceNode {
  const texts = parts.map((part) => {
    if (part.kind === 'scalar' || part.kind === 'unknown') return part.text;
    throw createSourceProblem(part.place, 'Only texts can be joined.');
  });
  const text = texts.join(separator === undefined ? '' : requireText(separator, place));
  if (parts.some(({ kind }) => kind === 'unknown')) return { kind: 'unknown', text, place };
  const isSecret = parts.some(containsSecret) || (separator !== undefined && containsSecret(separator));
  return createTextNode(text, place, isSecret);
}

const VARIABLE = /\$\{(!?)([^}]*)\}/g;

function substitute(argument: SourceNode, scope: TemplateScope, place: Place): SourceNode {
  const [template, variables] = argument.kind === 'list' ? argument.items : [argument];
  const text = requireText(template ?? argument, place);
  const parts: SourceNode[] = [];
  let end = 0;
  for (const { 0: whole, 1: literal, 2: name = '', index } of text.matchAll(VARIABLE)) {
    parts.push(createTextNode(text.slice(end, index), place));
    end = index + whole.length;
    if (literal === '!') parts.push(createTextNode(`\${${name}}`, place));
    else parts.push(resolveVariable(name.trim(), variables, scope, place));
  }
  return concatenate([...parts, createTextNode(text.slice(end), place)], undefined, place);
}

function resolveVariable(
  name: string,
  variables: SourceNode | undefined,
  scope: TemplateScope,
  place: Place,
): SourceNode {
  const own = variables?.kind === 'map' ? variables.entries.get(name)?.value : undefined;
  if (own !== undefined) return requireEvaluated(own, scope, place);
  const [logicalId = '', ...attribute] = name.split('.');
  const value =
    attribute.length > 0
      ? scope.resolveAttribute(logicalId, attribute.join('.'), place)
      : scope.resolveRef(name, place);
  return value ?? createTextNode('', place);
}

function evaluateItems(argument: SourceNode, scope: TemplateScope, place: Place, least: number) {
  return requireList(argument, place, least).items.map((item) => requireEvaluated(item, scope, place));
}

function select(argument: SourceNode, scope: TemplateScope, place: Place): SourceNode {
  const [index, list] = evaluateItems(argument, scope, place, 2);
  if (list?.kind === 'unknown') return list;
  const item = list?.kind === 'list' ? list.items[Number(requireText(index ?? argument, place))] : undefined;
  if (item === undefined) throw createSourceProblem(place, 'Fn::Select names an item that the list does not have.');
  return item;
}

function split(argument: SourceNode, scope: TemplateScope, place: Place): SourceNode {
  const [separator, text] = evaluateItems(argument, scope, place, 2);
  if (text?.kind === 'unknown') return text;
  const items = requireText(text ?? argument, place)
    .split(requireText(separator ?? argument, place))
    .map((item) => createTextNode(item, place, text !== undefined && containsSecret(text)));
  return { kind: 'list', items, place };
}

/** Functions with a boolean result. */
const DECISIONS: ReadonlyMap<string, (items: readonly SourceNode[], scope: TemplateScope, place: Place) => boolean> =
  new Map([
    ['Fn::And', (items, scope) => items.every((item) => isTrue(item, scope))],
    ['Fn::Or', (items, scope) => items.some((item) => isTrue(item, scope))],
    ['Fn::Not', ([item], scope, place) => !isTrue(requireEvaluated(item, scope, place), scope)],
    [
      'Fn::Equals',
      (items, scope, place) => {
        const [one, other] = items.map((item) => requireText(requireEvaluated(item, scope, place), place));
        return one === other;
      },
    ],
  ]);

/** Whether a condition is met: a boolean function, or `{ "Condition": name }`. */
export function isTrue(node: SourceNode, scope: TemplateScope): boolean {
  const [name, argument] = findOnlyMember(node) ?? [];
  if (name === 'Condition' && argument?.kind === 'scalar') return scope.isConditionMet(argument.text, node.place);
  const decide = DECISIONS.get(name ?? '');
  if (decide !== undefined && argument !== undefined) {
    return decide(requireList(argument, node.place, 1).items, scope, node.place);
  }
  if (node.kind === 'scalar' && ['true', 'false'].includes(node.text)) return node.text === 'true';
  throw createSourceProblem(node.place, 'A condition must be a function such as Fn::Equals.');
}

const toTruth: (name: string) => Intrinsic = (name) => (argument, scope, place) => {
  const value = DECISIONS.get(name)?.(requireList(argument, place, 1).items, scope, place) ?? false;
  return { kind: 'scalar', value, text: String(value), place };
};

function containsUnknown(node: SourceNode): boolean {
  if (node.kind === 'list') return node.items.some(containsUnknown);
  if (node.kind === 'map') return [...node.entries.values()].some(({ value }) => containsUnknown(value));
  return node.kind === 'unknown';
}

function toPlain(node: SourceNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'unknown') return node.text;
  if (node.kind === 'list') return node.items.map(toPlain);
  return Object.fromEntries([...node.entries].map(([name, { value }]) => [name, toPlain(value)]));
}

const INTRINSICS: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['Ref', (argument, scope, place) => scope.resolveRef(requireText(argument, place), place)],
  [
    'Fn::GetAtt',
    (argument, scope, place) => {
      const [logicalId, ...attribute] =
        argument.kind === 'list'
          ? argument.items.map((item) => requireText(requireEvaluated(item, scope, place), place))
          : requireText(argument, place).split('.');
      return scope.resolveAttribute(logicalId ?? '', attribute.join('.'), place);
    },
  ],
  ['Fn::Sub', substitute],
  [
    'Fn::Join',
    (argument, scope, place) => {
      const [separator, list] = evaluateItems(argument, scope, place, 2);
      if (list?.kind === 'unknown') return list;
      return concatenate(requireList(list ?? argument, place, 0).items, separator ?? argument, place);
    },
  ],
  [
    'Fn::If',
    (argument, scope, place) => {
      const [condition, yes, no] = requireList(argument, place, 3).items;
      const isMet = scope.isConditionMet(requireText(condition ?? argument, place), place);
      return evaluate((isMet ? yes : no) ?? argument, scope);
    },
  ],
  ['Fn::Select', select],
  ['Fn::Split', split],
  [
    'Fn::FindInMap',
    (argument, scope, place) => {
      const [map = '', first = '', second = ''] = evaluateItems(argument, scope, place, 3).map((item) =>
        item.kind === 'map' ? '' : requireText(item, place),
      );
      const found = scope.findInMap(map, first, second, place);
      if (found === undefined) throw createSourceProblem(place, `The mapping ${map} has no value ${first}, ${second}.`);
      return found;
    },
  ],
  [
    'Fn::ImportValue',
    (argument, scope, place) => scope.importValue(requireText(requireEvaluated(argument, scope, place), place), place),
  ],
  [
    'Fn::Base64',
    (argument, scope, place) => {
      const text = requireEvaluated(argument, scope, place);
      if (text.kind === 'unknown') return text;
      return createTextNode(Buffer.from(requireText(text, place)).toString('base64'), place, containsSecret(text));
    },
  ],
  [
    'Fn::Length',
    (argument, scope, place) => {
      const value = requireList(requireEvaluated(argument, scope, place), place, 0).items.length;
      return { kind: 'scalar', value, text: String(value), place };
    },
  ],
  [
    'Fn::ToJsonString',
    (argument, scope, place) => {
      const value = requireEvaluated(argument, scope, place);
      const text = JSON.stringify(toPlain(value));
      return containsUnknown(value)
        ? { kind: 'unknown', text, place }
        : createTextNode(text, place, containsSecret(value));
    },
  ],
  ['Fn::Env', (argument, scope, place) => scope.readVariable(requireText(argument, place), place)],
  ...[...DECISIONS.keys()].map((name): [string, Intrinsic] => [name, toTruth(name)]),
]);

/** Returns the names that a value refers to: resources, parameters and pseudo parameters. */
export function listReferences(node: SourceNode): readonly string[] {
  if (node.kind === 'list') return node.items.flatMap(listReferences);
  if (node.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { value }]) => [
    ...listOwnReferences(name, value),
    ...listReferences(value),
  ]);
}

function listOwnReferences(name: string, value: SourceNode): readonly string[] {
  if (name === 'Ref' && value.kind === 'scalar') return [value.text];
  const first = value.kind === 'list' ? value.items[0] : value;
  if (first?.kind !== 'scalar') return [];
  if (name === 'Fn::GetAtt') return [first.text.split('.')[0] ?? ''];
  if (name !== 'Fn::Sub') return [];
  return [...first.text.matchAll(VARIABLE)]
    .filter(([, literal]) => literal === '')
    .map(([, , variable = '']) => {
      return variable.trim().split('.')[0] ?? '';
    });
}

/** Returns the names of exports that a value imports, if they are literal. */
export function listImports(node: SourceNode): readonly string[] {
  if (node.kind === 'list') return node.items.flatMap(listImports);
  if (node.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { value }]) =>
    name === 'Fn::ImportValue' && value.kind === 'scalar' ? [value.text] : listImports(value),
  );
}
