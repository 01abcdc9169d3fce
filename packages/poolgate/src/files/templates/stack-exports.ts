import type { SourceNode } from '../sources/source-node.ts';
import { evaluate, type TemplateScope } from './intrinsics.ts';
import type { FindExport, Stack } from './stack.ts';

/** The values that stacks export to each other. */
export class StackExports {
  readonly #values = new Map<string, SourceNode>();

  readonly find: FindExport = (name) => this.#values.get(name);

  add({ outputs }: Pick<Stack, 'outputs'>, scope: TemplateScope): void {
    for (const { node, exportName } of outputs) {
      const name = exportName === undefined ? undefined : evaluate(exportName, scope);
      const value = name?.kind === 'scalar' ? evaluate(node, scope) : undefined;
      if (name?.kind === 'scalar' && value !== undefined) this.#values.set(name.text, value);
    }
  }
}
