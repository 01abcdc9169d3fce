import { formatReferencePage } from '../packages/poolgate/src/config/effective-settings.ts';
import type { GeneratedFile } from './generated-files.ts';

/** Generates docs/reference/configuration.md from the tables of settings, as `poolgate config --reference` prints it. */
export function generateConfigurationPage(): readonly GeneratedFile[] {
  return [{ file: 'docs/reference/configuration.md', text: formatReferencePage() }];
}
