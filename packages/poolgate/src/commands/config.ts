import type { RunCommand } from '../command-line/command.ts';
import { readConfiguration } from '../config/configuration.ts';
import { formatReferencePage, listEffectiveSettings } from '../config/effective-settings.ts';

/** Prints the effective configuration, or the reference page of all keys. */
export const runConfig: RunCommand = async (invocation, terminal) => {
  if (invocation.has('reference')) {
    terminal.out(formatReferencePage().trimEnd());
    return 0;
  }
  const configuration = readConfiguration(terminal.environment);
  const settings = listEffectiveSettings(configuration);
  const { mode, productionReasons } = configuration;
  if (invocation.has('json')) {
    terminal.out(JSON.stringify({ mode, production_reasons: productionReasons, settings }, undefined, 2));
    return 0;
  }
  terminal.out(mode === 'development' ? '# development' : `# production: ${productionReasons.join(', ')}`);
  for (const { key, value, source } of settings) terminal.out(`${key}=${value} (${source})`);
  return 0;
};
