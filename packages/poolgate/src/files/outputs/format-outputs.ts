/** Formats the files that an apply or an export writes: outputs for applications, and templates and pool files of existing pools. */
import type { ProviderOperations } from '@poolgate/provider';
import { OPERATOR_CALL_CONTEXT } from '../../command-line/operator-call.ts';
import type { AppliedStack } from '../apply/apply-plan.ts';
import { evaluate } from '../templates/intrinsics.ts';
import type { Stack } from '../templates/stack.ts';
import { createAmplifyOutputs } from './amplify-outputs.ts';

/** A stack, and its resources after the apply. */
export interface StackResult {
  readonly stack: Stack;
  readonly applied: AppliedStack;
}

/** The dependencies of outputs. */
export interface OutputPorts {
  readonly operations: ProviderOperations;
  readonly baseUrl: string;
}

/** Returns the outputs that a template declares. */
function listTemplateOutputs({ stack, applied }: StackResult): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    stack.outputs.flatMap(({ name, node }): (readonly [string, unknown])[] => {
      const value = evaluate(node, applied.scope);
      if (value?.kind === 'scalar') return [[name, value.value]];
      return value?.kind === 'list'
        ? [[name, value.items.map((item) => (item.kind === 'scalar' ? item.value : null))]]
        : [];
    }),
  );
}

function toJson(results: readonly StackResult[]): string {
  const stacks = results.map((result) => {
    const { stack, applied } = result;
    const resources = stack.declarations.map(({ logicalId, type }) => {
      const known = applied.known.get(logicalId);
      return [logicalId, { Type: type.name, Ref: known?.ref ?? null, ...known?.attributes }] as const;
    });
    return [stack.name, { resources: Object.fromEntries(resources), outputs: listTemplateOutputs(result) }] as const;
  });
  return JSON.stringify(Object.fromEntries(stacks), null, 2);
}

function toVariable(logicalId: string): string {
  const words = logicalId.replace(/\.(?:Clients|Domains)\./g, '_').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.replace(/\W+/g, '_').toUpperCase();
}

/** The variables of each kind of resource, by suffix. */
const VARIABLES: Readonly<Record<string, readonly (readonly [suffix: string, attribute: string | undefined])[]>> = {
  UserPool: [
    ['USER_POOL_ID', undefined],
    ['USER_POOL_ARN', 'Arn'],
  ],
  UserPoolClient: [
    ['CLIENT_ID', undefined],
    ['CLIENT_SECRET', 'ClientSecret'],
  ],
  UserPoolDomain: [['DOMAIN', undefined]],
};

/** Quotes a value for shells and readers of .env files. */
function quote(value: string): string {
  return /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function toEnv(results: readonly StackResult[], { baseUrl }: OutputPorts): string {
  const lines = results.flatMap((result) => {
    const resources = result.stack.declarations.flatMap(({ logicalId, type }) => {
      const known = result.applied.known.get(logicalId);
      return (VARIABLES[type.name] ?? []).map(([suffix, attribute]) => {
        const value = attribute === undefined ? known?.ref : known?.attributes[attribute];
        return [`${toVariable(logicalId)}_${suffix}`, value ?? ''] as const;
      });
    });
    const outputs = Object.entries(listTemplateOutputs(result)).map(
      ([name, value]) => [toVariable(name), String(value)] as const,
    );
    return [...resources, ...outputs].filter(([, value]) => value !== '');
  });
  const all = [['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', baseUrl] as const, ...lines];
  return all.map(([name, value]) => `${name}=${quote(value)}`).join('\n');
}

async function toAmplify(results: readonly StackResult[], { operations }: OutputPorts): Promise<string> {
  return JSON.stringify(await createAmplifyOutputs(results, operations, OPERATOR_CALL_CONTEXT), null, 2);
}

/** The output formats, by name. */
const FORMATS: ReadonlyMap<string, (results: readonly StackResult[], ports: OutputPorts) => string | Promise<string>> =
  new Map<string, (results: readonly StackResult[], ports: OutputPorts) => string | Promise<string>>([
    ['amplify', toAmplify],
    ['env', toEnv],
    ['json', toJson],
  ]);

/** The formats of `--output`. */
export const OUTPUT_FORMATS: readonly string[] = [...FORMATS.keys()];

/** @throws {RangeError} there is no such format */
export async function formatOutputs(
  format: string,
  results: readonly StackResult[],
  ports: OutputPorts,
): Promise<string> {
  const write = FORMATS.get(format);
  if (write === undefined) throw new RangeError(`format: must be one of ${OUTPUT_FORMATS.join(', ')}`);
  return write(results, ports);
}
