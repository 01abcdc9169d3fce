import type { Generator } from './generated-files.ts';

/**
 * Everything that is generated from tables and committed, in the order of writing. Each module is imported when its turn comes, because it
 * may import a file that an earlier one has written.
 */
export const GENERATORS: readonly Generator[] = [
  { source: 'tools/cognito-model.ts', load: async () => (await import('./cognito-model.ts')).generateCognitoModel },
  { source: 'tools/provider-shapes.ts', load: async () => (await import('./provider-shapes.ts')).generateShapes },
  { source: 'tools/migration-list.ts', load: async () => (await import('./migration-list.ts')).generateMigrationList },
  { source: 'tools/dependency-rules.ts', load: async () => (await import('./dependency-rules.ts')).generateLintRules },
  { source: 'tools/openapi.ts', load: async () => (await import('./openapi.ts')).generateOpenApi },
  { source: 'tools/coverage.ts', load: async () => (await import('./coverage.ts')).generateCoverage },
  {
    source: 'tools/configuration-page.ts',
    load: async () => (await import('./configuration-page.ts')).generateConfigurationPage,
  },
  { source: 'tools/route-page.ts', load: async () => (await import('./route-page.ts')).generateRoutePage },
  { source: 'tools/error-table.ts', load: async () => (await import('./error-table.ts')).generateErrorTable },
  {
    source: 'tools/reference-tables.ts',
    load: async () => (await import('./reference-tables.ts')).generateReferenceTables,
  },
  { source: 'tools/elements.ts', load: async () => (await import('./elements.ts')).generateElementsManifest },
  { source: 'tools/published.ts', load: async () => (await import('./published.ts')).generateWording },
];
