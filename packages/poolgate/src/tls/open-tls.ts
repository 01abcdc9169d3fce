/**
 * The certificate that the service uses for HTTPS, reloaded when it changes.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TlsCredentials } from '@poolgate/gateway';
import type { Settings } from '../config/settings.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import { StartError } from '../process/start-error.ts';
import type { System } from '../process/system.ts';
import { isCertificatePair, loadDevelopmentCertificate } from './stored-certificate.ts';

/** How often the certificate's files are checked. Files that are links to links, as in containers, report no changes. */
const LOOK_EVERY_MS = 10_000;

/** How a service serves HTTPS. */
export interface TlsSetup {
  readonly credentials: TlsCredentials;
  /** The development authority that clients have to trust; undefined with a certificate of the operator. */
  readonly authority: { readonly pem: string; readonly file: string } | undefined;
  /** Calls `renew` with new credentials when the files change; returns what ends it. */
  watch(renew: (credentials: TlsCredentials) => void, log: WriteLogLine): () => void;
}

interface Files {
  readonly certificate: string;
  readonly key: string;
}

function parseHost(baseUrl: string | undefined): string {
  return baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}

async function readFiles({ certificate, key }: Files): Promise<TlsCredentials> {
  const [cert, keyPem] = await Promise.all([readFile(certificate, 'utf8'), readFile(key, 'utf8')]);
  return { cert, key: keyPem };
}

/** @throws {StartError} `tls_files` */
async function readOwnCertificate(files: Files): Promise<TlsCredentials> {
  const read = await readFiles(files).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new StartError('tls_files', `POOLGATE_TLS_CERT, POOLGATE_TLS_KEY: cannot be read (${code})`, error);
  });
  if (isCertificatePair(read.cert, read.key)) return read;
  throw new StartError(
    'tls_files',
    'POOLGATE_TLS_CERT, POOLGATE_TLS_KEY: are not a PEM certificate and its private key',
  );
}

function warnOfExpiringCertificate({ cert }: TlsCredentials, nowMs: number, log: WriteLogLine): void {
  const { validTo } = new X509Certificate(cert);
  if (Date.parse(validTo) < nowMs) log('warn', `The certificate in POOLGATE_TLS_CERT expired at ${validTo}.`);
}

function watchCertificateFiles(files: Files, first: TlsCredentials, { timer, clock }: System): TlsSetup['watch'] {
  return (renew, log) => {
    let current = first;
    let isRefused = false;
    let callOff = (): void => {};
    let isStopped = false;
    const look = async (): Promise<void> => {
      const read = await readFiles(files).catch(() => undefined);
      // The two files are replaced one after the other. Until they match, the old ones stay.
      if (read === undefined || !isCertificatePair(read.cert, read.key)) {
        if (!isRefused)
          log('warn', 'The certificate in POOLGATE_TLS_CERT and the key in POOLGATE_TLS_KEY do not match.');
        isRefused = true;
      } else {
        isRefused = false;
        if (read.cert !== current.cert || read.key !== current.key) {
          current = read;
          renew(read);
          log('info', 'The certificate was reloaded.');
          warnOfExpiringCertificate(read, clock.now(), log);
        }
      }
      if (!isStopped) callOff = timer.after(LOOK_EVERY_MS, () => void look());
    };
    warnOfExpiringCertificate(first, clock.now(), log);
    callOff = timer.after(LOOK_EVERY_MS, () => void look());
    return () => {
      isStopped = true;
      callOff();
    };
  };
}

/**
 * Opens what a service needs for HTTPS; undefined if it serves HTTP.
 * @throws {StartError} `tls_files`, `data_dir`
 */
export async function openTls(
  { tls, tlsCert, tlsKey, baseUrl, dataDir }: Pick<Settings, 'tls' | 'tlsCert' | 'tlsKey' | 'baseUrl' | 'dataDir'>,
  system: System,
): Promise<TlsSetup | undefined> {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const files = { certificate: tlsCert, key: tlsKey };
    const credentials = await readOwnCertificate(files);
    return { credentials, authority: undefined, watch: watchCertificateFiles(files, credentials, system) };
  }
  if (tls === 'off') return undefined;
  const { certificate, key, authority, authorityFile } = await loadDevelopmentCertificate(
    dataDir,
    parseHost(baseUrl),
    system,
  );
  return {
    // With the authority in the chain, clients can show what to trust.
    credentials: { cert: `${certificate}${authority}`, key },
    authority: { pem: authority, file: authorityFile },
    watch: () => () => {},
  };
}
