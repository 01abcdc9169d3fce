import { timingSafeEqual } from 'node:crypto';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { invalidSessionError } from '../identity/login-errors.ts';
import type { ClockPort, MacPorts, RandomPort } from '../kernel/ports.ts';
import { formatPasswordVersion } from '../proofs/passwords/password-credentials.ts';
import { computePoolMac, type PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { CodeRecord, CredentialRecord, PoolRecord } from '../store/records.ts';

const PURPOSE = 'reset-session';
const ID_BYTES = 16;
const CODE_BYTES = 32;
/** Enough to compare keyed digests. A short session saves space in the browser's cookie. */
const DIGEST_BYTES = 16;

/**
 * The content of a `/password/forgot` session: only digests, so that every session has the same length and a decoy user's session looks
 * like any other. It needs no storage.
 */
export interface ResetSession {
  /** Identifies the session for counting its wrong codes. */
  readonly idHex: string;
  readonly codeDigestHex: string;
  readonly expiresAtMs: number;
  /** True if the code was sent for this user. */
  readonly isForUser: (userId: string) => boolean;
  /** True if the code went to this contact. */
  readonly isSentTo: (contact: Pick<CodeRecord, 'channel' | 'destination'>) => boolean;
  /** True if the user still has the password that the code was sent to replace. A reset sets another one, so a code works only once. */
  readonly replacesPassword: (credential: CredentialRecord | undefined) => boolean;
}

/** The order of the digests after the id and the code's digest. */
const SUBJECTS = ['name', 'user', 'contact', 'password'] as const;

type Subject = (typeof SUBJECTS)[number];

const SUBJECTS_START = ID_BYTES + CODE_BYTES;
const EXPIRY_START = SUBJECTS_START + SUBJECTS.length * DIGEST_BYTES;

/** Encrypts the session of a code, whether it was sent or the user is a decoy. */
export function encryptResetSession(
  ports: MacPorts & RandomPort,
  owner: PoolAndClient,
  { candidate, code }: { readonly candidate: LoginCandidate; readonly code: CodeRecord },
): string {
  const { pool } = owner;
  const digest = (subject: Subject, text: string) => computeSubjectDigest(ports, pool, subject, text);
  const expiry = Buffer.alloc(8);
  expiry.writeDoubleBE(code.expiresAtMs);
  const content = Buffer.concat([
    ports.random(ID_BYTES),
    Buffer.from(code.digestHex, 'hex'),
    digest('name', toCanonicalName(pool.settings, candidate.typedName)),
    digest('user', candidate.userId),
    digest('contact', formatContact(code)),
    digest('password', formatPasswordVersion(candidate.found?.credential)),
    expiry,
  ]);
  return ports.keyRing.encrypt(PURPOSE, content, associatedData(owner));
}

/**
 * Returns the session that was sent with a code; undefined without one.
 * @param candidate the named user: by the name that requested the code, or by the canonical username
 * @throws {ProviderError} `NotAuthorizedException`, reason `invalid_session`: not a session of this client and name
 */
export function decryptResetSession(
  ports: MacPorts,
  owner: PoolAndClient,
  { typedName }: Pick<LoginCandidate, 'typedName'>,
  encrypted: string | undefined,
): ResetSession | undefined {
  if (encrypted === undefined) return undefined;
  const session = readResetSession(ports, owner, typedName, encrypted);
  if (session === undefined) throw invalidSessionError();
  return session;
}

/**
 * Whether a text is an unexpired session of a code for this user. This does not reveal which users exist, because decoy users have sessions
 * too.
 */
export function isResetSessionForUser(
  ports: MacPorts & ClockPort,
  owner: PoolAndClient,
  { typedName, userId }: Pick<LoginCandidate, 'typedName' | 'userId'>,
  encrypted: string | undefined,
): boolean {
  if (encrypted === undefined) return false;
  const session = readResetSession(ports, owner, typedName, encrypted);
  return session?.isForUser(userId) === true && session.expiresAtMs > ports.clock.now();
}

function readResetSession(
  ports: MacPorts,
  owner: PoolAndClient,
  typedName: string,
  encrypted: string,
): ResetSession | undefined {
  const { pool } = owner;
  const content = ports.keyRing.decrypt(PURPOSE, encrypted, associatedData(owner));
  if (content === undefined) return undefined;
  const isAbout = (subject: Subject, text: string) => {
    const start = SUBJECTS_START + SUBJECTS.indexOf(subject) * DIGEST_BYTES;
    const digest = content.subarray(start, start + DIGEST_BYTES);
    return timingSafeEqual(digest, computeSubjectDigest(ports, pool, subject, text));
  };
  const name = toCanonicalName(pool.settings, typedName);
  if (!isAbout('name', name) && !isAbout('user', name)) return undefined;
  return {
    idHex: Buffer.from(content.subarray(0, ID_BYTES)).toString('hex'),
    codeDigestHex: Buffer.from(content.subarray(ID_BYTES, SUBJECTS_START)).toString('hex'),
    expiresAtMs: Buffer.from(content).readDoubleBE(EXPIRY_START),
    isForUser: (userId) => isAbout('user', userId),
    isSentTo: (contact) => isAbout('contact', formatContact(contact)),
    replacesPassword: (credential) => isAbout('password', formatPasswordVersion(credential)),
  };
}

function computeSubjectDigest(ports: MacPorts, pool: PoolRecord, subject: Subject, text: string): Uint8Array {
  return computePoolMac(ports, pool, `reset-session-${subject}`, text).subarray(0, DIGEST_BYTES);
}

function formatContact({ channel, destination }: Pick<CodeRecord, 'channel' | 'destination'>): string {
  return `${channel}\n${destination}`;
}

function associatedData({ pool, client }: PoolAndClient): string {
  return `${pool.id}/${client.id}`;
}
