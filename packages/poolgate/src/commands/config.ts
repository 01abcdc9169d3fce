import { readConfiguration } from '../config/configuration.ts';
import { referencePage, shownSettings } from '../config/shown.ts';
import type { Run } from './command.ts';

/** Prints the effective configuration, or the reference page of all keys. */
export const config: Run = async (invocation, terminal) => {
  if (invocation.has('reference')) {
    terminal.out(referencePage().trimEnd());
    return 0;
  }
  const configuration = readConfiguration(terminal.environment);
  const settings = shownSettings(configuration);
  const { mode, productionReasons } = configuration;
  if (invocation.has('json')) {
    terminal.out(JSON.stringify({ mode, production_reasons: productionReasons, settings }, undefined, 2));
    return 0;
  }
  terminal.out(mode === 'development' ? '# development' : `# production: ${productionReasons.join(', ')}`);
  for (const { key, value, source } of settings) terminal.out(`${key}=${value} (${source})`);
  return 0;
};
