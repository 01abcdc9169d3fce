import { readdirSync, readFileSync } from 'node:fs';
import type { DeviceVerifier } from '@poolgate/srp';
import type { StartOptions } from 'poolgate';
import type { Passkey } from '../../packages/pool/src/testing/software-authenticator.ts';

/** A user of a release, with all credentials. All of it was created only for these files. */
export interface ReleaseUser {
  readonly email: string;
  readonly password: string;
  readonly sub: string;
}

/** The content of a release's service when its stores were saved, the same in both databases except for ids and secrets. */
export interface ReleasePool {
  readonly userPoolId: string;
  readonly clientId: string;
  /** A key with the scope `users:read` from the command line, in its bearer form. */
  readonly adminBearer: string;
  /** Without a second factor, a member of `group`. The refresh token is valid, and her other login was ended. */
  readonly ada: ReleaseUser & { readonly refreshToken: string; readonly endedRefreshToken: string };
  /** With an authenticator, a recovery code and a remembered device. */
  readonly bob: ReleaseUser & {
    readonly totpSecret: string;
    readonly recoveryCode: string;
    readonly device: { readonly key: string; readonly groupKey: string; readonly secret: DeviceVerifier };
  };
  /** With a passkey; its private key is PKCS #8 in PEM. */
  readonly cleo: ReleaseUser & {
    readonly passkey: Pick<Passkey, 'id' | 'rpId' | 'userHandle' | 'algorithm' | 'counter'> & {
      readonly keyPem: string;
    };
  };
  /** Signed up, not yet confirmed. */
  readonly dora: ReleaseUser & { readonly code: string; readonly session?: string };
  /** Disabled. */
  readonly emil: ReleaseUser;
  readonly group: string;
  readonly webhookUrl: string;
}

/** The stored data of a release. */
export interface Release {
  readonly version: string;
  /** When its stores were created: the clock of the service stood still. */
  readonly atMs: number;
  /** SHA-256 of each packed package in hex, by the name of its tarball. */
  readonly tarballs: Readonly<Record<string, string>>;
  /** By the name of the dump next to this file, without `.sql`. */
  readonly pools: Readonly<Record<ReleaseStore, ReleasePool>>;
}

/** The databases with a stored dump. */
export const RELEASE_STORES = ['sqlite', 'postgres'] as const;
export type ReleaseStore = (typeof RELEASE_STORES)[number];

/** Every release with stored dumps. */
export const RELEASES: readonly string[] = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const folder = (version: string) => new URL(`./${version}/`, import.meta.url);

/** Reads the stored data of a release. */
export function readRelease(version: string): Release {
  return JSON.parse(readFileSync(new URL('release.json', folder(version)), 'utf8')) as Release;
}

/** Reads the SQL that recreates a release's store. */
export function readDump(version: string, store: ReleaseStore): string {
  return readFileSync(new URL(`${store}.sql`, folder(version)), 'utf8');
}

/** The secret of the stored dumps. It has no other use. */
export const RELEASE_SECRET = 'a secret of the kept stores and of nothing else 4f7Q';

/** The start options for the stored dumps. */
export const RELEASE_OPTIONS: StartOptions = {
  secrets: [RELEASE_SECRET],
  port: 0,
  limitReads: 0,
  limitLoginSteps: 0,
  rpId: 'example.com',
  origins: ['https://login.example.com'],
};
