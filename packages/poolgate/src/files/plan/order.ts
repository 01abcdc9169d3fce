import { RESOURCE_TYPES } from '../resources/resource-types.ts';
import { createSourceProblem } from '../sources/source-problems.ts';
import type { Declaration } from '../templates/stack.ts';

/**
 * Sorts declarations so that each follows those that it depends on. Without an explicit dependency, a client follows the resource servers
 * that its scopes may name.
 * @throws {SourceProblems} two depend on each other
 */
export function orderDeclarations(declarations: readonly Declaration[]): readonly Declaration[] {
  const byId = new Map(declarations.map((each) => [each.logicalId, each]));
  const ordered = new Set<Declaration>();
  const visit = (declaration: Declaration, path: ReadonlySet<Declaration>): void => {
    if (ordered.has(declaration)) return;
    if (path.has(declaration)) {
      const circle = [...path, declaration].map(({ logicalId }) => logicalId).join(' → ');
      throw createSourceProblem(declaration.place, `These resources depend on each other: ${circle}.`);
    }
    for (const id of declaration.dependencies) {
      const other = byId.get(id);
      if (other !== undefined && other !== declaration) visit(other, new Set([...path, declaration]));
    }
    ordered.add(declaration);
  };
  const placeOf = ({ type }: Declaration) => RESOURCE_TYPES.indexOf(type);
  for (const declaration of declarations.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    visit(declaration, new Set());
  }
  return [...ordered];
}
