import { readdirSync, readFileSync } from 'node:fs';
import type { DeviceVerifier } from '@poolgate/srp';
import type { StartOptions } from 'poolgate';
import type { Passkey } from '../../packages/pool/src/testing/software-authenticator.ts';

/** Somebody whom a release knew, with everything that opens the account. All of it was made for these files alone. */
export interface ReleaseUser {
  readonly email: string;
  readonly password: string;
  readonly sub: string;
}

/** What a service of a release held when its stores were kept, the same in both databases but for ids and secrets. */
export interface ReleasePool {
  readonly userPoolId: string;
  readonly clientId: string;
  /** A key with the scope `users:read`, made by the command line, in its bearer form. */
  readonly adminBearer: string;
  /** Without a second factor, a member of `group`. The refresh token is good, the other login of hers was ended. */
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
  /** Signed up, and not confirmed yet. */
  readonly dora: ReleaseUser & { readonly code: string; readonly session?: string };
  /** Disabled. */
  readonly emil: ReleaseUser;
  readonly group: string;
  readonly webhookUrl: string;
}

/** What is stored of a release. */
export interface Release {
  readonly version: string;
  /** When its stores were made: the clock of the service stood still there. */
  readonly atMs: number;
  /** SHA-256 of each packed package, hexadecimal, by the name of its tarball. */
  readonly tarballs: Readonly<Record<string, string>>;
  /** By the name of the dump beside this file, without `.sql`. */
  readonly pools: Readonly<Record<ReleaseStore, ReleasePool>>;
}

/** The databases of which a dump is kept. */
export const RELEASE_STORES = ['sqlite', 'postgres'] as const;
export type ReleaseStore = (typeof RELEASE_STORES)[number];

/** Every release of which stores are kept. */
export const RELEASES: readonly string[] = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const folder = (version: string) => new URL(`./${version}/`, import.meta.url);

/** Reads what is kept of a release. */
export function readRelease(version: string): Release {
  return JSON.parse(readFileSync(new URL('release.json', folder(version)), 'utf8')) as Release;
}

/** The SQL that makes a store of a release again. */
export function readDump(version: string, store: ReleaseStore): string {
  return readFileSync(new URL(`${store}.sql`, folder(version)), 'utf8');
}

/** The secret of the kept stores. It is of no other use. */
export const RELEASE_SECRET = 'a secret of the kept stores and of nothing else 4f7Q';

/** How the services of the kept stores are started. */
export const RELEASE_OPTIONS: StartOptions = {
  secrets: [RELEASE_SECRET],
  port: 0,
  limitReads: 0,
  limitLoginSteps: 0,
  rpId: 'example.com',
  origins: ['https://login.example.com'],
};
