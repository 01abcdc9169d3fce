import { findSuggestion } from '../../config/suggestion.ts';
import { classifyTemplateType, TEMPLATE_TYPE_NAMES } from '../resources/resource-types.ts';
import { createMapNode, findMember, type MapEntry, type MapNode, type SourceNode } from '../sources/source-node.ts';
import { type SourceProblem, SourceProblems } from '../sources/source-problems.ts';
import { listImports, listReferences } from './intrinsics.ts';
import { Parameters } from './parameters.ts';
import { withSamTriggers } from './sam-events.ts';
import type { Declaration, SkippedResource, Stack, StackContext, StackOutput } from './stack.ts';
import { createTemplateScope, formatForeignArn, type TemplateParts } from './template-scope.ts';

function findSection(root: MapNode, name: string): MapNode | undefined {
  const section = root.entries.get(name)?.value;
  return section?.kind === 'map' ? section : undefined;
}

function readText(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.text : undefined;
}

const LAMBDA = /^AWS::(?:Lambda|Serverless)::Function$/;

/** The resources of a template, sorted by how this service treats them. */
class ResourceReader {
  readonly declarations: Declaration[] = [];
  readonly skipped: SkippedResource[] = [];
  readonly problems: SourceProblem[] = [];

  read(logicalId: string, { place, value: resource }: MapEntry): void {
    const typeNode = findMember(resource, 'Type');
    const type = readText(typeNode);
    if (resource.kind !== 'map' || type === undefined) {
      this.problems.push({ place, message: `The resource ${logicalId} needs a Type.` });
      return;
    }
    const support = classifyTemplateType(type);
    if (support.kind === 'unknown') {
      const near = findSuggestion(type, TEMPLATE_TYPE_NAMES);
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      this.problems.push({ place: typeNode?.place ?? place, message: `The type ${type} is not known.${hint}` });
    } else if (support.kind === 'supported') this.#declare(logicalId, support.type, { place, value: resource });
    else {
      const promisesSecurity = support.kind === 'unsupported' && support.promisesSecurity;
      this.skipped.push({ logicalId, type, place, reason: support.kind, promisesSecurity });
    }
  }

  #declare(logicalId: string, type: Declaration['type'], { place, value: resource }: MapEntry): void {
    const properties = findMember(resource, 'Properties') ?? createMapNode({}, place);
    if (properties.kind !== 'map') {
      this.problems.push({ place: properties.place, message: `Properties of ${logicalId} must be an object.` });
      return;
    }
    const metadata = findMember(findMember(resource, 'Metadata'), 'Poolgate');
    const [id, secret] = [findMember(metadata, 'Id'), findMember(metadata, 'ClientSecret')];
    this.declarations.push({
      logicalId,
      type,
      place,
      node: properties,
      names: 'template',
      dependencies: [...listReferences(properties), ...listDependsOn(resource)],
      isRetained: /^Retain/.test(readText(findMember(resource, 'DeletionPolicy')) ?? ''),
      pins: { ...(id && { id }), ...(secret && { secret }) },
    });
  }
}

function listDependsOn(resource: SourceNode): readonly string[] {
  const node = findMember(resource, 'DependsOn');
  const items = node?.kind === 'list' ? node.items : [node];
  return items.map(readText).filter((text) => text !== undefined);
}

function readOutputs(section: MapNode | undefined): readonly StackOutput[] {
  return [...(section?.entries ?? [])].flatMap(([name, { value }]) => {
    const node = findMember(value, 'Value');
    return node === undefined ? [] : [{ name, node, exportName: findMember(findMember(value, 'Export'), 'Name') }];
  });
}

function listFunctions(resources: MapNode, context: StackContext): ReadonlyMap<string, string> {
  const functions = [...resources.entries].flatMap(([id, { value }]) => {
    const type = readText(findMember(value, 'Type')) ?? '';
    return LAMBDA.test(type) ? [[id, formatForeignArn(context, type, id)] as const] : [];
  });
  return new Map(functions);
}

/** Whether a file is a CloudFormation template. */
export function isTemplate(root: MapNode): boolean {
  return findSection(root, 'Resources') !== undefined;
}

/**
 * Reads a CloudFormation template, including those of CDK, SAM and Serverless.
 * @throws {SourceProblems} the structure is invalid; it lists every problem
 */
export function readTemplate(name: string, file: string, root: MapNode, context: StackContext): Stack {
  const resources = withSamTriggers(findSection(root, 'Resources') ?? createMapNode({}, root.place));
  const parameters = new Parameters(findSection(root, 'Parameters'), context.parameters);
  const types = [...resources.entries].map(
    ([id, { value }]) => [id, readText(findMember(value, 'Type')) ?? ''] as const,
  );
  const isDeclared = ([, type]: readonly [string, string]) => classifyTemplateType(type).kind === 'supported';
  const conditions = findSection(root, 'Conditions');
  const parts: TemplateParts = {
    stackName: name,
    context,
    parameters,
    conditions,
    mappings: findSection(root, 'Mappings'),
    declared: new Set(types.filter(isDeclared).map(([id]) => id)),
    foreign: new Map(types.filter((each) => !isDeclared(each))),
  };
  const reader = new ResourceReader();
  const conditionScope = createTemplateScope(
    parts,
    () => undefined,
    () => undefined,
  );
  for (const [logicalId, entry] of resources.entries) {
    const condition = findMember(entry.value, 'Condition');
    const isLeftOut = condition?.kind === 'scalar' && !conditionScope.isConditionMet(condition.text, condition.place);
    if (!isLeftOut) reader.read(logicalId, entry);
  }
  const problems = [...parameters.problems, ...reader.problems];
  if (problems.length > 0) throw new SourceProblems(problems);
  return {
    name,
    file,
    declarations: reader.declarations,
    skipped: reader.skipped,
    outputs: readOutputs(findSection(root, 'Outputs')),
    imports: listImports(root),
    allowsPins: context.allowsPins,
    functions: listFunctions(resources, context),
    createScope: (findResource, findExport) => createTemplateScope(parts, findResource, findExport),
  };
}
