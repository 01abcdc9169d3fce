import { parseSync, visitorKeys } from 'oxc-parser';

/** The rules that turn correct code into faulty code. */
export type Rule =
  | 'a comparison turned'
  | 'a condition dropped'
  | 'an await lost'
  | 'a constant off by one'
  | 'an argument swapped'
  | 'an early return';

/** One fault that can be planted into a source. */
export interface Mutation {
  readonly rule: Rule;
  /** Offsets in the source, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The replacement text. */
  readonly text: string;
}

/** An ESTree node, reduced to the common fields. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Applies a rule to a node. `source` returns the text of any node of the file. */
type Mutate = (node: Node, source: (node: Node) => string) => readonly Omit<Mutation, 'rule'>[];

/** Each comparison is negated, and a comparison with a bound is also shifted by one. */
const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
};

const RULES: Readonly<Record<Rule, Mutate>> = {
  'a comparison turned': (node, source) => {
    const { left, right, operator } = node;
    if (node.type !== 'BinaryExpression' || !isNode(left) || !isNode(right)) return [];
    const turned = COMPARISONS[String(operator)] ?? [];
    return turned.map((sign) => createReplacement(node, `${source(left)} ${sign} ${source(right)}`));
  },
  'a condition dropped': (node, source) => {
    const { left, right, operator, test, alternate } = node;
    if (node.type === 'LogicalExpression' && operator !== '??' && isNode(left) && isNode(right)) {
      return [left, right].map((kept) => createReplacement(node, `(${source(kept)})`));
    }
    const isGuard = node.type === 'IfStatement' && (alternate === null || alternate === undefined);
    return isGuard && isNode(test) ? [createReplacement(test, 'false')] : [];
  },
  'an await lost': (node, source) =>
    node.type === 'AwaitExpression' && isNode(node.argument) ? [createReplacement(node, source(node.argument))] : [],
  'a constant off by one': (node) =>
    node.type === 'Literal' && Number.isSafeInteger(node.value)
      ? [createReplacement(node, String(Number(node.value) + 1))]
      : [],
  'an argument swapped': (node, source) => {
    const given = node.arguments;
    if ((node.type !== 'CallExpression' && node.type !== 'NewExpression') || !Array.isArray(given)) return [];
    if (isNode(node.callee) && IN_ANY_ORDER.has(source(node.callee))) return [];
    return given.slice(1).flatMap((second: Node, index) => {
      const first: Node = given[index];
      if ([first, second].some(({ type }) => type === 'SpreadElement') || source(first) === source(second)) return [];
      return [{ start: first.start, end: second.end, text: `${source(second)}, ${source(first)}` }];
    });
  },
  // The effect of a function, and everything after it, is skipped.
  'an early return': (node) => {
    const { body } = node;
    if (!FUNCTIONS.has(node.type) || !isNode(body) || !Array.isArray(body.body)) return [];
    const effects = body.body.filter(({ type }: Node) => type === 'ExpressionStatement');
    return effects.map(({ start }: Node) => ({ start, end: start, text: 'return; ' }));
  },
};

/** Functions that accept their arguments in any order. */
const IN_ANY_ORDER: ReadonlySet<string> = new Set(['Math.max', 'Math.min', 'constantTimeEqual', 'timingSafeEqual']);

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/** Every rule, in the order in which the faults are drawn. */
export const RULE_NAMES = Object.keys(RULES) as readonly Rule[];

/**
 * Lists all faults that the rules create in a TypeScript source. Types are ignored, because they are not executed.
 * @throws {SyntaxError} it cannot be parsed
 */
export function listMutations(file: string, source: string): readonly Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const nodes = [...listRunningNodes(program as unknown as Node)];
  return RULE_NAMES.flatMap((rule) =>
    nodes.flatMap((node) => RULES[rule](node, textOf).map((mutation) => ({ rule, ...mutation }))),
  );
}

/** Returns the source with the fault. */
export function applyFault(source: string, { start, end, text }: Mutation): string {
  return source.slice(0, start) + text + source.slice(end);
}

function* listRunningNodes(node: Node): Generator<Node> {
  yield node;
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (isNode(child) && (!child.type.startsWith('TS') || RUNNING_TS.has(child.type))) yield* listRunningNodes(child);
    }
  }
}

/** TypeScript's own nodes that contain executed code. */
const RUNNING_TS: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

function createReplacement({ start, end }: Node, text: string): Omit<Mutation, 'rule'> {
  return { start, end, text };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
