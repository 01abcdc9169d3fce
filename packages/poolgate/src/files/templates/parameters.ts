import { createTextNode, findMember, type MapNode, type Place, type SourceNode } from '../sources/source-node.ts';
import { createSourceProblem, type SourceProblem } from '../sources/source-problems.ts';

/** A parameter of a template, with its value. */
interface Parameter {
  readonly value: SourceNode | undefined;
  /** Why there is no value, for a reader who needs it. */
  readonly place: Place;
  readonly isFromParameterStore: boolean;
}

function readText(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.text : undefined;
}

function toValue(text: string, type: string, place: Place, isSecret: boolean): SourceNode {
  if (type !== 'CommaDelimitedList' && !type.startsWith('List<')) return createTextNode(text, place, isSecret);
  const items = text === '' ? [] : text.split(',').map((item) => createTextNode(item.trim(), place, isSecret));
  return { kind: 'list', items, place };
}

/** CloudFormation has the patterns of Java. One that JavaScript cannot read matches nothing. */
function matchesPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function findValueProblem(text: string, declared: SourceNode): string | undefined {
  const allowed = findMember(declared, 'AllowedValues');
  if (allowed?.kind === 'list' && !allowed.items.some((item) => readText(item) === text)) {
    return `must be one of ${allowed.items.map((item) => readText(item) ?? '').join(', ')}`;
  }
  const pattern = readText(findMember(declared, 'AllowedPattern'));
  if (pattern !== undefined && !matchesPattern(pattern, text)) return `must match ${pattern}`;
  return readText(findMember(declared, 'Type')) === 'Number' && !Number.isFinite(Number(text))
    ? 'must be a number'
    : undefined;
}

/** The parameters of a template, each with the given value or its default. */
export class Parameters {
  readonly problems: SourceProblem[] = [];
  readonly #parameters = new Map<string, Parameter>();

  constructor(section: MapNode | undefined, given: ReadonlyMap<string, string>) {
    for (const [name, { place, value }] of section?.entries ?? []) this.#read(name, place, value, given.get(name));
  }

  #read(name: string, place: Place, declared: SourceNode, given: string | undefined): void {
    const type = readText(findMember(declared, 'Type')) ?? 'String';
    const isFromParameterStore = type.startsWith('AWS::SSM::');
    const ownDefault = isFromParameterStore ? undefined : readText(findMember(declared, 'Default'));
    const text = given ?? ownDefault;
    if (text === undefined) {
      this.#parameters.set(name, { value: undefined, place, isFromParameterStore });
      if (!isFromParameterStore) {
        this.problems.push({ place, message: `The parameter ${name} has no value. Set it with --parameter ${name}=…` });
      }
      return;
    }
    const problem = findValueProblem(text, declared);
    if (problem !== undefined) this.problems.push({ place, message: `The parameter ${name} ${problem}.` });
    const isSecret = readText(findMember(declared, 'NoEcho')) === 'true';
    this.#parameters.set(name, { value: toValue(text, type, place, isSecret), place, isFromParameterStore });
  }

  get names(): readonly string[] {
    return [...this.#parameters.keys()];
  }

  /** Undefined if the template has no such parameter. */
  find(name: string, place: Place): SourceNode | undefined {
    const parameter = this.#parameters.get(name);
    if (parameter === undefined) return undefined;
    if (parameter.value !== undefined) return { ...parameter.value, place };
    throw createSourceProblem(
      place,
      `The parameter ${name} is kept in AWS and has no value here. Set it with --parameter ${name}=…`,
    );
  }
}
