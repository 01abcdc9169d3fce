import { uuidV7 } from '@poolgate/provider';
import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { AcrLevel } from '../settings/acr-levels.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { CustomAuthStepResult } from '../triggers/custom-auth-triggers.ts';
import type { LevelTarget, ProofName } from './challenges/challenge.ts';

/** A login between two steps. The store contains only how often it was answered; the client holds the encrypted rest. */
export interface ChallengeSession {
  /** The id that the store counts and spends. */
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly expiresAtMs: number;
  /** The pending challenge. */
  readonly challenge: ProofName;
  /** The name with which the login was started. */
  readonly typedName: string;
  /** The username, or the decoy of an unknown name. */
  readonly userId: string;
  /** The version of the password in this login. A changed password ends the login. */
  readonly passwordVersion: string;
  /** The proofs so far. */
  readonly proofs: readonly ProofName[];
  /** The device that the login named. */
  readonly deviceKey: string | null;
  /** Whether guesses were counted for that device alone. If so, tokens require the device's proof. */
  readonly isBoundToDevice: boolean;
  /** The history of a login whose order the triggers decide; undefined for other logins. */
  readonly custom?: readonly CustomAuthStepResult[] | undefined;
  /** The end of the `SRP_A` that the challenge answers, if its caller requested it. */
  readonly srpAEnd?: string | undefined;
  /** The level that the login must reach, if one was requested. */
  readonly target?: LevelTarget | undefined;
  /** The data of the pending challenge. */
  readonly state: Uint8Array;
}

/** The content of a new session. The rest follows from pool, client and clock. */
export type ChallengeSessionContent = Omit<ChallengeSession, 'id' | 'poolId' | 'clientId' | 'expiresAtMs'>;

/** The maximum number of answers to a session. */
export const MAX_ANSWERS = 20;

// Not the purpose of earlier releases, whose secret blocks started with A and whose sessions contained the salt. Those bytes must never be
// read as a key or a version.
const PURPOSE = 'login-session-3';
const LENGTH_BYTES = 2;

/** Creates a session of this pool and client. The client's settings define its lifetime. */
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

/** Encrypts a session for the client. */
export function encryptChallengeSession(ports: KeyRingPort, session: ChallengeSession): string {
  return ports.keyRing.encrypt(PURPOSE, packSession(session), '');
}

/** Decrypts a session of any pool and client; undefined for other text. The caller must check whether it has expired. */
export function decryptAnyChallengeSession(ports: KeyRingPort, encrypted: string): ChallengeSession | undefined {
  const plaintext = ports.keyRing.decrypt(PURPOSE, encrypted, '');
  return plaintext === undefined ? undefined : unpackSession(plaintext);
}

/** Like {@link decryptAnyChallengeSession} for a known pool and client. Sessions of others do not decrypt. */
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
  srpAEnd?: string | null,
  target?: PackedTarget,
];

type PackedTarget = readonly [
  levels: readonly AcrLevel[],
  preferred: string | null,
  loginId?: string,
  authTimeSeconds?: number,
];

function packTarget({ levels, preferred, credit }: LevelTarget): PackedTarget {
  const first = [levels, preferred ?? null] as const;
  return credit === undefined ? first : [...first, credit.loginId, credit.authTimeSeconds];
}

function unpackTarget([levels, preferred, loginId, authTimeSeconds]: PackedTarget): LevelTarget {
  const credit = loginId === undefined || authTimeSeconds === undefined ? undefined : { loginId, authTimeSeconds };
  return { levels, preferred: preferred ?? undefined, credit };
}

/** A compact step of a custom login, because the API limits the length of a session and triggers may ask many times. */
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

/** Most logins have neither. */
function packOptional({ custom, srpAEnd }: Pick<ChallengeSession, 'custom' | 'srpAEnd'>) {
  const steps = custom?.map(packStep);
  if (srpAEnd !== undefined) return [steps ?? null, srpAEnd] as const;
  return steps === undefined ? ([] as const) : ([steps] as const);
}

/** The length of the header, the header as JSON, and the unchanged state, which is binary and the largest part. */
function packSession({ state, ...session }: ChallengeSession): Uint8Array {
  const { id, poolId, clientId, expiresAtMs, challenge, typedName, userId, passwordVersion, proofs } = session;
  const { deviceKey, isBoundToDevice, target } = session;
  const start = [id, poolId, clientId, expiresAtMs, challenge, typedName] as const;
  const rest = [userId, passwordVersion, proofs, deviceKey, isBoundToDevice] as const;
  const header: Header =
    target === undefined
      ? [...start, ...rest, ...packOptional(session)]
      : [...start, ...rest, session.custom?.map(packStep) ?? null, session.srpAEnd ?? null, packTarget(target)];
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
  const [userId, passwordVersion, proofs, deviceKey, isBoundToDevice, custom, srpAEnd, target] = rest;
  const named = { id, poolId, clientId, expiresAtMs, challenge, typedName, userId, passwordVersion, proofs };
  const state = bytes.subarray(stateAt);
  const optional = {
    custom: custom?.map(unpackStep),
    srpAEnd: srpAEnd ?? undefined,
    ...(target !== undefined && { target: unpackTarget(target) }),
  };
  return { ...named, deviceKey, isBoundToDevice, ...optional, state };
}
