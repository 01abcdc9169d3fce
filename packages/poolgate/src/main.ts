#!/usr/bin/env node
import nodeModule from 'node:module';
import { nodeFault } from './node-version.ts';

// Looked at as a property: an older Node refuses to link a name that it does not have, and says nothing that helps.
nodeModule.enableCompileCache?.();

const fault = nodeFault(process.versions.node);
if (fault !== undefined) {
  console.error(fault);
  process.exitCode = 1;
} else {
  const { run } = await import('./commands/run.ts');
  const { processTerminal } = await import('./commands/terminal.ts');
  process.exitCode = await run(process.argv.slice(2), processTerminal);
}
