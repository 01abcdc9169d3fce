import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** N of Cognito, 3072 bits (RFC 3526 §4, group 15). */
export const N_HEX =
  'ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3be39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200cbbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff';
const N = BigInt(`0x${N_HEX}`);
const G = 2n;

/** The mistakes that a client may make. */
export interface Mistakes {
  /** The key is salted with the bytes of u without the byte of the sign. */
  readonly saltWithoutSign?: boolean;
  readonly keyBytes?: number;
  /** The message contains the secret block as received, in base64. */
  readonly textOfBlock?: boolean;
  /** Another identity than USER_ID_FOR_SRP. */
  readonly identity?: string;
}

/** A private and a public value. */
export interface PlainStart {
  readonly a: bigint;
  readonly srpAHex: string;
}

/** The input of a proof. */
export interface PlainProof {
  readonly poolName: string;
  readonly password: string;
  readonly timestamp: string;
  /** As in the challenge. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns the two's complement of a non-negative number: the minimum number of bytes, with the first one below 80. */
export function signedBytes(value: bigint): Buffer {
  const digits = value.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return Buffer.from(Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even, 'hex');
}

/** Draws a private value. Written only from the formulas, so that it checks both the service and the library of this project. */
export function plainStart(): PlainStart {
  const a = BigInt(`0x${randomBytes(32).toString('hex')}`);
  return { a, srpAHex: power(G, a).toString(16) };
}

/** Returns the signature of a client that knows the password, and u, which decides where some mistakes show. */
export function plainProof({ a, srpAHex }: PlainStart, proof: PlainProof, mistakes: Mistakes = {}) {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = proof.parameters;
  const identity = mistakes.identity ?? USER_ID_FOR_SRP;
  const [A, B, salt] = [srpAHex, SRP_B, SALT].map((hex) => BigInt(`0x${hex}`)) as [bigint, bigint, bigint];
  const k = number(hash(signedBytes(N), signedBytes(G)));
  const u = number(hash(signedBytes(A), signedBytes(B)));
  const x = number(hash(signedBytes(salt), hash(`${proof.poolName}${identity}:${proof.password}`)));
  const base = (((B - k * power(G, x)) % N) + N) % N;
  const S = power(base, a + u * x);
  const sign = signedBytes(u);
  const hkdfSalt = mistakes.saltWithoutSign && sign[0] === 0 ? sign.subarray(1) : sign;
  const key = hkdfSync('sha256', signedBytes(S), hkdfSalt, 'Caldera Derived Key', mistakes.keyBytes ?? 16);
  const block = mistakes.textOfBlock ? Buffer.from(SECRET_BLOCK) : Buffer.from(SECRET_BLOCK, 'base64');
  const signature = createHmac('sha256', Buffer.from(key))
    .update(`${proof.poolName}${identity}`)
    .update(block)
    .update(proof.timestamp)
    .digest('base64');
  return { signature, hasSignByte: sign[0] === 0 };
}

function hash(...parts: readonly (Buffer | string)[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
}

const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % N;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % N;
    square = (square * square) % N;
  }
  return result;
}
