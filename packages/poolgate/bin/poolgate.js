#!/usr/bin/env node
// JavaScript, because Node would load its type stripper for a first file in TypeScript and keep 15 MB for it.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('../src/main.ts');
