import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CommandError } from '../../command-line/command.ts';
import { parseSource } from '../sources/parse-source.ts';
import { findMember, type MapNode } from '../sources/source-node.ts';
import { createSourceProblem } from '../sources/source-problems.ts';
import { isPoolsFile, readPoolsFile } from './read-pools-file.ts';
import { isTemplate, readTemplate } from './read-template.ts';
import type { Stack, StackContext } from './stack.ts';

/** A file of a stack. */
interface StackFile {
  readonly path: string;
  /** Undefined: the file contains the name, or the file's name is used. */
  readonly stackName: string | undefined;
}

const MAX_BYTES = 10 * 1024 * 1024;

async function readText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new CommandError(`${path} is larger than 10 MiB`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
      error,
    );
  }
}

/** Files that are read in a folder, in order. */
const FOLDER_FILES = [
  'poolgate.yaml',
  'poolgate.yml',
  'poolgate.json',
  'template.yaml',
  'template.yml',
  'template.json',
] as const;

const SERVERLESS_TEMPLATE = 'cloudformation-template-update-stack.json';

async function listFolder(folder: string): Promise<readonly StackFile[]> {
  const names = await readdir(folder);
  if (names.includes('manifest.json')) return listAssembly(folder);
  if (names.includes(SERVERLESS_TEMPLATE)) return [await toServerlessFile(folder)];
  for (const inner of ['cdk.out', '.serverless']) if (names.includes(inner)) return listFolder(join(folder, inner));
  const found = FOLDER_FILES.find((name) => names.includes(name));
  if (found !== undefined) return [{ path: join(folder, found), stackName: undefined }];
  throw new CommandError(
    `${folder} has no files to apply. Looked for cdk.out, .serverless, and ${FOLDER_FILES.join(', ')}.`,
  );
}

interface Artifact {
  readonly type?: string;
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly directoryName?: string;
  };
}

/** @throws {CommandError} the file cannot be read, or contains no JSON object */
async function readJson(path: string): Promise<object> {
  const text = await readText(path);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new CommandError(`${path} contains no JSON: ${(error as Error).message}`, error);
  }
  throw new CommandError(`${path} contains no JSON object`);
}

/**
 * Returns the stacks of a folder that CDK wrote, including nested assemblies.
 * @param read the folders that were read already
 * @throws {CommandError} a manifest cannot be read, or names a folder again
 */
async function listAssembly(folder: string, read = new Set<string>()): Promise<readonly StackFile[]> {
  const path = join(folder, 'manifest.json');
  const manifest = (await readJson(path)) as { readonly artifacts?: Readonly<Record<string, Artifact>> };
  const resolved = await realpath(folder);
  if (read.has(resolved)) throw new CommandError(`${path} is included more than once; build the assembly again`);
  read.add(resolved);
  const files: StackFile[] = [];
  for (const [id, { type, properties = {} }] of Object.entries(manifest.artifacts ?? {})) {
    const { templateFile, stackName = id, directoryName } = properties;
    if (type === 'cdk:cloud-assembly' && directoryName !== undefined) {
      files.push(...(await listAssembly(join(folder, directoryName), read)));
    } else if (type === 'aws:cloudformation:stack' && templateFile !== undefined) {
      files.push({ path: join(folder, templateFile), stackName });
    }
  }
  return files;
}

async function toServerlessFile(folder: string): Promise<StackFile> {
  const path = join(folder, SERVERLESS_TEMPLATE);
  const statePath = join(folder, 'serverless-state.json');
  const hasState = (await stat(statePath).catch(() => undefined)) !== undefined;
  const { service } = (hasState ? await readJson(statePath) : {}) as {
    readonly service?: {
      readonly service?: string;
      readonly provider?: { readonly stackName?: string; readonly stage?: string };
    };
  };
  const stage = service?.provider?.stage ?? 'dev';
  const named = service?.service === undefined ? undefined : `${service.service}-${stage}`;
  return { path, stackName: service?.provider?.stackName ?? named ?? basename(dirname(resolve(folder))) };
}

async function listFiles(operand: string): Promise<readonly StackFile[]> {
  const found = await stat(operand).catch((error: unknown) => {
    throw new CommandError(
      `${operand} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
      error,
    );
  });
  return found.isDirectory() ? listFolder(operand) : [{ path: operand, stackName: undefined }];
}

/** Returns the name of a file without its extensions. */
function toStackName(path: string): string {
  return basename(path).replace(/(?:\.template)?\.(?:json|ya?ml)$/i, '');
}

const STACK_NAME = /^[\w.-]{1,128}$/;

function chooseStackName(root: MapNode, file: StackFile, given: string | undefined): string {
  const member = findMember(root, 'stack');
  const own = isPoolsFile(root) && member?.kind === 'scalar' ? member.text : undefined;
  const name = given ?? file.stackName ?? own ?? toStackName(file.path);
  if (STACK_NAME.test(name)) return name;
  throw createSourceProblem(
    root.place,
    `"${name}" cannot name a stack. Use letters, digits, dots, hyphens and underscores.`,
  );
}

/**
 * Reads every stack of the given files and folders.
 * @param stackName the name from the command line; allowed only for a single stack
 * @throws {SourceProblems} a file is invalid
 * @throws {CommandError} a file cannot be read
 */
export async function findStacks(
  operands: readonly string[],
  context: StackContext,
  stackName?: string,
): Promise<readonly Stack[]> {
  const files = (await Promise.all(operands.map(listFiles))).flat();
  if (stackName !== undefined && files.length !== 1) {
    throw new CommandError(`--stack names one stack, and there are ${files.length}`);
  }
  const stacks: Stack[] = [];
  for (const file of files) {
    const shown = relative(process.cwd(), file.path).startsWith('..') ? file.path : relative(process.cwd(), file.path);
    const root = parseSource(shown, await readText(file.path));
    const name = chooseStackName(root, file, stackName);
    const twin = stacks.find((stack) => stack.name === name);
    if (twin !== undefined) throw createSourceProblem(root.place, `${twin.file} is the stack ${name}, too.`);
    if (isPoolsFile(root)) stacks.push(readPoolsFile(name, shown, root, context));
    else if (isTemplate(root)) stacks.push(readTemplate(name, shown, root, context));
    else throw createSourceProblem(root.place, 'The file has neither Resources, as a template, nor pools.');
  }
  return orderByImports(stacks);
}

/** Sorts stacks that export before those that import from them; the others keep their order. */
function orderByImports(stacks: readonly Stack[]): readonly Stack[] {
  const exported = new Map(
    stacks.flatMap((stack) =>
      stack.outputs.flatMap(({ exportName }) =>
        exportName?.kind === 'scalar' ? [[exportName.text, stack] as const] : [],
      ),
    ),
  );
  const ordered = new Set<Stack>();
  const visit = (stack: Stack, path: ReadonlySet<Stack>): void => {
    if (ordered.has(stack) || path.has(stack)) return;
    for (const name of stack.imports) {
      const other = exported.get(name);
      if (other !== undefined) visit(other, new Set([...path, stack]));
    }
    ordered.add(stack);
  };
  for (const stack of stacks) visit(stack, new Set());
  return [...ordered];
}
