#!/usr/bin/env node
import nodeModule from 'node:module';

const OLDEST_NODE = 24;

// Looked at as a property: an older Node refuses to link a name that it does not have, and says nothing that helps.
nodeModule.enableCompileCache?.();

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(`poolgate: needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}`);
  process.exitCode = 1;
} else {
  const { run } = await import('./commands/run.ts');
  const { processTerminal } = await import('./commands/terminal.ts');
  process.exitCode = await run(process.argv.slice(2), processTerminal);
}
