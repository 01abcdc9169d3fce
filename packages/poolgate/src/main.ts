#!/usr/bin/env node
import nodeModule from 'node:module';
import { findNodeVersionFault } from './node-version.ts';

// Read as a property: an older Node fails to link an import that it does not have, with an error that does not help.
nodeModule.enableCompileCache?.();

const fault = findNodeVersionFault(process.versions.node);
if (fault !== undefined) {
  console.error(fault);
  process.exitCode = 1;
} else {
  const { runProgram } = await import('./commands/run-program.ts');
  const { processTerminal } = await import('./commands/process-terminal.ts');
  process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
}
