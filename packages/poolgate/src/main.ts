#!/usr/bin/env node
import nodeModule from 'node:module';
import { findNodeVersionFault } from './node-version.ts';

// Looked at as a property: an older Node refuses to link a name that it does not have, and says nothing that helps.
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
