import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createDataDir, toDataDirError } from '../process/data-dir.ts';
import type { System } from '../process/system.ts';
import type { DevelopmentCertificate } from './development-certificate.ts';

const FILES = { authority: 'authority.pem', certificate: 'certificate.pem', key: 'key.pem' } as const;

/** A certificate that expires sooner is replaced, so that it does not expire at a bad time. */
const RENEWED_BEFORE_MS = 30 * 86_400_000;

/** Whether a certificate and a key match. */
export function isCertificatePair(certificatePem: string, keyPem: string): boolean {
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}

function isUsableCertificate(host: string, { certificate, key }: DevelopmentCertificate, nowMs: number): boolean {
  if (!isCertificatePair(certificate, key)) return false;
  const read = new X509Certificate(certificate);
  const names = isIP(host) === 0 ? read.checkHost(host) : read.checkIP(host);
  return names !== undefined && Date.parse(read.validTo) > nowMs + RENEWED_BEFORE_MS;
}

async function readStoredCertificate(folder: string): Promise<DevelopmentCertificate | undefined> {
  try {
    const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const [authority, certificate, key] = await Promise.all([
      read(FILES.authority),
      read(FILES.certificate),
      read(FILES.key),
    ]);
    return { authority, certificate, key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function storeCertificate(folder: string, made: DevelopmentCertificate): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const part of ['key', 'certificate', 'authority'] as const) {
    const draft = join(folder, `${FILES[part]}.new`);
    await writeFile(draft, made[part], { mode: 0o600 });
    if (part !== 'key') await chmod(draft, 0o644);
    await rename(draft, join(folder, FILES[part]));
  }
}

/** A development certificate and the path of its authority. */
export interface StoredCertificate extends DevelopmentCertificate {
  readonly authorityFile: string;
}

/**
 * Returns the development certificate of a host: the one of an earlier start if it is still valid, otherwise a new one with a new
 * authority.
 * @throws {StartError} `data_dir`
 */
export async function loadDevelopmentCertificate(
  dataDir: string,
  host: string,
  { clock, random }: Pick<System, 'clock' | 'random'>,
): Promise<StoredCertificate> {
  const folder = join(dataDir, 'tls');
  const authorityFile = join(folder, FILES.authority);
  try {
    const kept = await readStoredCertificate(folder);
    if (kept !== undefined && isUsableCertificate(host, kept, clock.now())) return { ...kept, authorityFile };
    const { createDevelopmentCertificate } = await import('./development-certificate.ts');
    const made = createDevelopmentCertificate(host, { nowMs: clock.now(), random });
    await createDataDir(dataDir);
    await storeCertificate(folder, made);
    return { ...made, authorityFile };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw toDataDirError(dataDir, error);
    throw error;
  }
}
