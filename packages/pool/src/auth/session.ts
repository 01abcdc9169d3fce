import type { ChallengeName } from '@poolgate/provider';
import type { PoolAndClient } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';

/** A login between two steps. Nothing of it is kept but how often it was answered: the client carries it, sealed. */
export interface Session {
  /** 128 random bits; what the store counts and spends. */
  readonly id: string;
  readonly expiresAtMs: number;
  /** The challenge that is pending. */
  readonly challenge: ChallengeName;
  /** The name that the login was started with. */
  readonly typedName: string;
  /** The user name, or the invented one of an unknown name. */
  readonly userId: string;
  /** The salt of the password that this login is about: another password ends the login. */
  readonly saltHex: string;
  /** What has been proven so far. */
  readonly proofs: readonly ChallengeName[];
  /** What the pending challenge keeps. */
  readonly state: Uint8Array;
}

/** How many answers one session takes at most, whatever they are. */
export const MOST_ANSWERS = 20;

const PURPOSE = 'login-session';
const ID_BYTES = 16;
const LENGTH_BYTES = 2;

/** Seals a new session for this pool and client; it lives as long as the client's settings say. */
export function sealSession(
  context: PoolRuntime,
  scope: PoolAndClient,
  content: Omit<Session, 'id' | 'expiresAtMs'>,
): string {
  const id = Buffer.from(context.random(ID_BYTES)).toString('base64url');
  const expiresAtMs = context.clock.now() + scope.client.settings.authSessionSeconds * 1000;
  return context.keyRing.seal(PURPOSE, pack({ ...content, id, expiresAtMs }), ownerOf(scope));
}

/** Undefined where the text is no session of this pool and client. Whether it has expired is for the caller to ask. */
export function openSession(context: PoolRuntime, scope: PoolAndClient, sealed: string): Session | undefined {
  const opened = context.keyRing.open(PURPOSE, sealed, ownerOf(scope));
  return opened === undefined ? undefined : unpack(opened);
}

/** Associated data of the seal, so that a session of another pool or client does not open. */
function ownerOf({ pool, client }: PoolAndClient): string {
  return `${pool.id}/${client.id}`;
}

type Header = readonly [
  id: string,
  expiresAtMs: number,
  challenge: ChallengeName,
  typedName: string,
  userId: string,
  saltHex: string,
  proofs: readonly ChallengeName[],
];

/** Length of the header, header as JSON, state as it is: the state is binary, and most of the whole. */
function pack({ state, ...session }: Session): Uint8Array {
  const { id, expiresAtMs, challenge, typedName, userId, saltHex, proofs } = session;
  const header: Header = [id, expiresAtMs, challenge, typedName, userId, saltHex, proofs];
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(text.length);
  return Buffer.concat([length, text, state]);
}

function unpack(packed: Uint8Array<ArrayBuffer>): Session {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const stateAt = LENGTH_BYTES + bytes.readUInt16BE();
  const header = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, stateAt)) as Header;
  const [id, expiresAtMs, challenge, typedName, userId, saltHex, proofs] = header;
  return { id, expiresAtMs, challenge, typedName, userId, saltHex, proofs, state: bytes.subarray(stateAt) };
}
