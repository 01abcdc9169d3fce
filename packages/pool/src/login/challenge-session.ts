import { uuidV7 } from '@poolgate/provider';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { CustomAuthStepResult } from '../triggers/custom-auth-triggers.ts';
import type { ProofName } from './challenges/challenge.ts';

/** A login between two steps. Nothing of it is kept but how often it was answered: the client carries it, encrypted. */
export interface ChallengeSession {
  /** What the store counts and spends. */
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly expiresAtMs: number;
  /** What is pending. */
  readonly challenge: ProofName;
  /** The name that the login was started with. */
  readonly typedName: string;
  /** The user name, or the decoy of an unknown name. */
  readonly userId: string;
  /** The version of the password that this login is about: another password ends the login. */
  readonly passwordVersion: string;
  /** What has been proven so far. */
  readonly proofs: readonly ProofName[];
  /** The device that the login named. */
  readonly deviceKey: string | null;
  /** Whether guesses were counted for that device alone: then there are no tokens without its proof. */
  readonly isBoundToDevice: boolean;
  /** What has happened in a login whose order triggers decide on; undefined in every other one. */
  readonly custom?: readonly CustomAuthStepResult[] | undefined;
  /** How the `SRP_A` ends that the challenge answers, where its caller asked for it. */
  readonly srpAEnd?: string | undefined;
  /** What the pending challenge keeps. */
  readonly state: Uint8Array;
}

/** What a new session is made of; the rest follows from pool, client and clock. */
export type ChallengeSessionContent = Omit<ChallengeSession, 'id' | 'poolId' | 'clientId' | 'expiresAtMs'>;

/** How many answers one session takes at most, whatever they are. */
export const MAX_ANSWERS = 20;

// Another one than when a secret block held A first, or sessions the salt: what stood there must never be read as a key or a version.
const PURPOSE = 'login-session-3';
const LENGTH_BYTES = 2;

/** A new session of this pool and client; it lives as long as the client's settings say. */
export function createChallengeSession(
  ports: ClockPort & RandomPort,
  { pool, client }: PoolAndClient,
  content: ChallengeSessionContent,
): ChallengeSession {
  const nowMs = ports.clock.now();
  const id = uuidV7(nowMs, ports.random);
  const expiresAtMs = nowMs + client.settings.authSessionSeconds * 1000;
  return { ...content, id, poolId: pool.id, clientId: client.id, expiresAtMs };
}

/** A session as the client carries it. */
export function encryptChallengeSession(ports: KeyRingPort, session: ChallengeSession): string {
  return ports.keyRing.encrypt(PURPOSE, packSession(session), '');
}

/** The session behind a text, of whatever pool and client; undefined where it is none. Whether it has expired is for the caller to ask. */
export function decryptAnyChallengeSession(ports: KeyRingPort, encrypted: string): ChallengeSession | undefined {
  const plaintext = ports.keyRing.decrypt(PURPOSE, encrypted, '');
  return plaintext === undefined ? undefined : unpackSession(plaintext);
}

/** As {@link decryptAnyChallengeSession}, where pool and client are known; a session of others does not open. */
export function decryptChallengeSession(
  ports: KeyRingPort,
  { pool, client }: PoolAndClient,
  encrypted: string,
): ChallengeSession | undefined {
  const session = decryptAnyChallengeSession(ports, encrypted);
  return session?.poolId === pool.id && session.clientId === client.id ? session : undefined;
}

type Header = readonly [
  id: string,
  poolId: string,
  clientId: string,
  expiresAtMs: number,
  challenge: ProofName,
  typedName: string,
  userId: string,
  passwordVersion: string,
  proofs: readonly ProofName[],
  deviceKey: string | null,
  isBoundToDevice: boolean,
  custom?: readonly PackedCustomAuthStep[] | null,
  srpAEnd?: string,
];

/** A step of a custom login, short: the API bounds the length of a session, and triggers may ask often. */
type PackedCustomAuthStep = readonly [name: number, isRight: 0 | 1, metadata?: string];

const CUSTOM_NAMES = ['SRP_A', 'PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'] as const;

function packStep({ challengeName, challengeResult, challengeMetadata }: CustomAuthStepResult): PackedCustomAuthStep {
  const step = [CUSTOM_NAMES.indexOf(challengeName), challengeResult ? 1 : 0] as const;
  return challengeMetadata === undefined ? step : [...step, challengeMetadata];
}

function unpackStep([name, isRight, challengeMetadata]: PackedCustomAuthStep): CustomAuthStepResult {
  const step = { challengeName: CUSTOM_NAMES[name] ?? 'CUSTOM_CHALLENGE', challengeResult: isRight === 1 };
  return challengeMetadata === undefined ? step : { ...step, challengeMetadata };
}

/** Length of the header, header as JSON, state as it is: the state is binary, and most of the whole. */
function packSession({ state, ...session }: ChallengeSession): Uint8Array {
  const { id, poolId, clientId, expiresAtMs, challenge, typedName, userId, passwordVersion, proofs } = session;
  const { deviceKey, isBoundToDevice, custom, srpAEnd } = session;
  const start = [id, poolId, clientId, expiresAtMs, challenge, typedName] as const;
  const rest = [userId, passwordVersion, proofs, deviceKey, isBoundToDevice] as const;
  const steps = custom?.map(packStep);
  const last = srpAEnd === undefined ? steps && ([steps] as const) : ([steps ?? null, srpAEnd] as const);
  const header: Header = [...start, ...rest, ...(last ?? [])];
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(text.length);
  return Buffer.concat([length, text, state]);
}

function unpackSession(packed: Uint8Array<ArrayBuffer>): ChallengeSession {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const stateAt = LENGTH_BYTES + bytes.readUInt16BE();
  const header = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, stateAt)) as Header;
  const [id, poolId, clientId, expiresAtMs, challenge, typedName, ...rest] = header;
  const [userId, passwordVersion, proofs, deviceKey, isBoundToDevice, custom, srpAEnd] = rest;
  const named = { id, poolId, clientId, expiresAtMs, challenge, typedName, userId, passwordVersion, proofs };
  const state = bytes.subarray(stateAt);
  return { ...named, deviceKey, isBoundToDevice, custom: custom?.map(unpackStep), srpAEnd, state };
}
