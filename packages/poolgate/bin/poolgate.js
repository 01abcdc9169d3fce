#!/usr/bin/env node
// JavaScript, because Node would load its type stripper for a first file in TypeScript and keep 15 MB for it.
import nodeModule, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The first Node that reads the sources as they stand: an older one is left for the one that is installed with them. */
const OLDEST_FOR_SOURCES = 26;

if (Number.parseInt(process.versions.node, 10) < OLDEST_FOR_SOURCES) {
  const { run } = createRequire(import.meta.url)('../../../tools/run.cjs');
  run([fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
} else {
  nodeModule.enableCompileCache();
  await import('../src/main.ts');
}
