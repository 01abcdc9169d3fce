/**
 * Unpacks the tests' browser into the temporary folder. This is a separate program, because the package knows no other folder and reads it
 * from the environment.
 */
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];

const packed = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
await Promise.all(ARCHIVES.map((archive) => inflate(fileURLToPath(new URL(archive, packed)))));
