import { readFileSync } from 'node:fs';
import { OPERATIONS } from '@poolgate/provider';
import type { GeneratedFile } from './generated-files.ts';

interface Shape {
  type: string;
  enum?: string[];
  members?: Record<string, Shape>;
  required?: string[];
  item?: Shape;
  value?: Shape;
}

interface Model {
  operations: Record<string, { input: Shape; output?: Shape | null }>;
}

const readModel = (): Model =>
  JSON.parse(readFileSync(new URL('../packages/provider/src/cognito-ops.json', import.meta.url), 'utf8'));

const SCALARS: Record<string, string> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  long: 'number',
  double: 'number',
  timestamp: 'number',
  document: 'unknown',
  blob: 'string',
};

function toTypeText(shape: Shape, indent: string): string {
  if (shape.enum) return shape.enum.map((value) => `'${value}'`).join(' | ');
  if (shape.type === 'structure') return formatStructure(shape, indent);
  if (shape.type === 'list' && shape.item) return `readonly (${toTypeText(shape.item, indent)})[]`;
  if (shape.type === 'map' && shape.value) return `Readonly<Record<string, ${toTypeText(shape.value, indent)}>>`;
  const scalar = SCALARS[shape.type];
  if (!scalar) throw new TypeError(`no TypeScript type for the shape type ${shape.type}`);
  return scalar;
}

function formatStructure(shape: Shape, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(shape.members ?? {}).map(([name, member]) => {
    const optional = shape.required?.includes(name) ? '' : '?';
    return `${inner}readonly ${/^\w+$/.test(name) ? name : `'${name}'`}${optional}: ${toTypeText(member, inner)};\n`;
  });
  return lines.length === 0 ? 'Readonly<Record<never, never>>' : `{\n${lines.join('')}${indent}}`;
}

function formatOperation(name: string, { operations }: Model): string {
  const operation = operations[name];
  if (!operation) throw new RangeError(`${name} is not in cognito-ops.json`);
  const input = toTypeText(operation.input, '    ');
  const output = toTypeText(operation.output ?? { type: 'structure' }, '    ');
  return `  ${name}: {\n    input: ${input};\n    output: ${output};\n  };\n`;
}

/** Generates the TypeScript shapes of the port's operations from the operation table that also validates requests. */
export function generateShapes(): readonly GeneratedFile[] {
  const model = readModel();
  const blocks = Object.keys(OPERATIONS)
    .sort()
    .map((name) => formatOperation(name, model));
  const text = `// Written by tools/provider-shapes.ts from cognito-ops.json and operations.ts. Timestamps are epoch seconds.\n
/** Request and response shapes of every operation of the port, by operation name. */
export interface Operations {\n${blocks.join('')}}\n`;
  return [{ file: 'packages/provider/src/shapes.ts', text }];
}
