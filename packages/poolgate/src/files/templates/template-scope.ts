import { findSuggestion } from '../../config/suggestion.ts';
import { createTextNode, findMember, type MapNode, type Place, type SourceNode } from '../sources/source-node.ts';
import { createSourceProblem } from '../sources/source-problems.ts';
import { isTrue, type TemplateScope } from './intrinsics.ts';
import type { Parameters } from './parameters.ts';
import type { FindExport, FindResource, StackContext } from './stack.ts';

/** The parts of a template that functions read. */
export interface TemplateParts {
  readonly stackName: string;
  readonly context: StackContext;
  readonly parameters: Parameters;
  readonly conditions: MapNode | undefined;
  readonly mappings: MapNode | undefined;
  /** Logical ids of the resources that files create here. */
  readonly declared: ReadonlySet<string>;
  /** The types of all others. */
  readonly foreign: ReadonlyMap<string, string>;
}

/** Pseudo parameters that are texts. */
const PSEUDO_PARAMETERS: Readonly<Record<string, (parts: TemplateParts) => string>> = {
  'AWS::AccountId': ({ context }) => context.accountId,
  'AWS::Partition': () => 'aws',
  'AWS::Region': ({ context }) => context.region,
  'AWS::StackId': ({ context: { region, accountId }, stackName }) =>
    `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/poolgate`,
  'AWS::StackName': ({ stackName }) => stackName,
  'AWS::URLSuffix': () => 'amazonaws.com',
};

/** The ARN of another service's resource, as it appears here: settings keep it, and nothing calls it. */
const ARNS: readonly (readonly [RegExp, (prefix: { region: string; accountId: string }, id: string) => string])[] = [
  [
    /^AWS::(?:Lambda|Serverless)::Function$/,
    ({ region, accountId }, id) => `arn:aws:lambda:${region}:${accountId}:function:${id}`,
  ],
  [/^AWS::IAM::Role$/, ({ accountId }, id) => `arn:aws:iam::${accountId}:role/${id}`],
  [/^AWS::KMS::Key$/, ({ region, accountId }, id) => `arn:aws:kms:${region}:${accountId}:key/${id}`],
  [
    /^AWS::CertificateManager::Certificate$/,
    ({ region, accountId }, id) => `arn:aws:acm:${region}:${accountId}:certificate/${id}`,
  ],
  [/^AWS::SES::EmailIdentity$/, ({ region, accountId }, id) => `arn:aws:ses:${region}:${accountId}:identity/${id}`],
];

/** Returns the ARN for a resource of another service. */
export function formatForeignArn(context: StackContext, type: string, logicalId: string): string {
  const format = ARNS.find(([pattern]) => pattern.test(type))?.[1];
  if (format !== undefined) return format(context, logicalId);
  const service = type.split('::')[1]?.toLowerCase() ?? 'custom';
  return `arn:aws:${service}:${context.region}:${context.accountId}:${logicalId}`;
}

/** Types whose `Ref` is an ARN. */
const REF_IS_ARN = /^AWS::(?:CertificateManager::Certificate|SNS::Topic|SecretsManager::Secret)$/;

/** Creates what the functions of a template can read. */
export function createTemplateScope(
  parts: TemplateParts,
  findResource: FindResource,
  findExport: FindExport,
): TemplateScope {
  return new PartsScope(parts, findResource, findExport);
}

class PartsScope implements TemplateScope {
  readonly #parts: TemplateParts;
  readonly #findResource: FindResource;
  readonly #findExport: FindExport;
  readonly #met = new Map<string, boolean | undefined>();

  constructor(parts: TemplateParts, findResource: FindResource, findExport: FindExport) {
    this.#parts = parts;
    this.#findResource = findResource;
    this.#findExport = findExport;
  }

  resolveRef(name: string, place: Place): SourceNode | undefined {
    if (name === 'AWS::NoValue') return undefined;
    if (name === 'AWS::NotificationARNs') return { kind: 'list', items: [], place };
    const pseudo = Object.hasOwn(PSEUDO_PARAMETERS, name) ? PSEUDO_PARAMETERS[name] : undefined;
    if (pseudo !== undefined) return createTextNode(pseudo(this.#parts), place);
    const parameter = this.#parts.parameters.find(name, place);
    if (parameter !== undefined) return parameter;
    if (this.#parts.declared.has(name)) {
      const found = this.#findResource(name);
      return found === undefined ? { kind: 'unknown', text: `\${${name}}`, place } : createTextNode(found.ref, place);
    }
    const type = this.#parts.foreign.get(name);
    if (type === undefined) throw this.#createMissingProblem(name, place);
    return createTextNode(REF_IS_ARN.test(type) ? formatForeignArn(this.#parts.context, type, name) : name, place);
  }

  #createMissingProblem(name: string, place: Place): Error {
    const { declared, foreign, parameters } = this.#parts;
    const near = findSuggestion(name, [...declared, ...foreign.keys(), ...parameters.names]);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    return createSourceProblem(place, `The file has no resource or parameter ${name}.${hint}`);
  }

  resolveAttribute(logicalId: string, attribute: string, place: Place): SourceNode {
    if (!this.#parts.declared.has(logicalId)) return this.#resolveForeignAttribute(logicalId, attribute, place);
    const found = this.#findResource(logicalId);
    if (found === undefined) return { kind: 'unknown', text: `\${${logicalId}.${attribute}}`, place };
    const value = Object.hasOwn(found.attributes, attribute) ? found.attributes[attribute] : undefined;
    if (value === undefined) throw createSourceProblem(place, `${logicalId} has no attribute ${attribute}.`);
    return createTextNode(value, place, attribute === 'ClientSecret');
  }

  #resolveForeignAttribute(logicalId: string, attribute: string, place: Place): SourceNode {
    const type = this.#parts.foreign.get(logicalId);
    if (type === undefined) throw this.#createMissingProblem(logicalId, place);
    const isArn = attribute.endsWith('Arn') || attribute === 'FunctionArn';
    return createTextNode(
      isArn ? formatForeignArn(this.#parts.context, type, logicalId) : `${logicalId}.${attribute}`,
      place,
    );
  }

  isConditionMet(name: string, place: Place): boolean {
    const known = this.#met.get(name);
    if (known !== undefined) return known;
    if (this.#met.has(name)) throw createSourceProblem(place, `The condition ${name} depends on itself.`);
    const condition = this.#parts.conditions?.entries.get(name)?.value;
    if (condition === undefined) throw createSourceProblem(place, `The file has no condition ${name}.`);
    this.#met.set(name, undefined);
    const isMet = isTrue(condition, this);
    this.#met.set(name, isMet);
    return isMet;
  }

  findInMap(map: string, first: string, second: string): SourceNode | undefined {
    const table = this.#parts.mappings?.entries.get(map)?.value;
    return findMember(findMember(table, first), second);
  }

  importValue(name: string, place: Place): SourceNode {
    const value = this.#findExport(name);
    if (value !== undefined) return { ...value, place };
    throw createSourceProblem(
      place,
      `No stack of this command exports ${name}. Apply the stack that does in the same command.`,
    );
  }

  readVariable(name: string, place: Place): SourceNode {
    const value = this.#parts.context.environment[name];
    if (value === undefined) throw createSourceProblem(place, `The environment variable ${name} is not set.`);
    return createTextNode(value, place, true);
  }
}
