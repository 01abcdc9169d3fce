#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is read: the next start then finds all of it compiled.
enableCompileCache();

const { run } = await import('./commands/run.ts');
const { processTerminal } = await import('./commands/terminal.ts');

process.exitCode = await run(process.argv.slice(2), processTerminal);
