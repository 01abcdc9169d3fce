/**
 * Unpacks the browser of the tests into the temporary folder: a program of its own, because the package that brings it
 * knows no other place and asks for it by the environment.
 */
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];

const packed = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
await Promise.all(ARCHIVES.map((archive) => inflate(fileURLToPath(new URL(archive, packed)))));
