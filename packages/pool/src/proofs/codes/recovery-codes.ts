import type { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../kernel/audit-events.ts';
import { generateRandomText } from '../../kernel/identifiers.ts';
import type { EventPorts, MacPorts, RandomPort } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { PoolRecord, UserWithCredential } from '../../store/records.ts';

/** Only consonants, so that no code is a word. Only letters, so that no code can be mistaken for a sent one. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz';

/** 12 letters of 20 are 51 bits. With a key outside of the database, none of them can be found by trying. */
const LENGTH = 12;
const COUNT = 10;

const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const GROUPING = /[\s-]/g;

/** Normalizes a typed code: either case, with spaces or hyphens between the letters. */
function normalizeRecoveryCode(text: string): string {
  return text.replace(GROUPING, '').toLowerCase();
}

/** Generates ten different recovery codes. */
export function generateRecoveryCodes(ports: RandomPort): readonly string[] {
  const codes = new Set<string>();
  while (codes.size < COUNT) codes.add(generateRandomText(ports.random, ALPHABET, LENGTH));
  return [...codes];
}

/** Whether a text has the format of a recovery code, which no numeric code has. */
export function isRecoveryCode(text: string): boolean {
  return FORM.test(normalizeRecoveryCode(text));
}

/**
 * Computes the stored digest of a recovery code: keyed with the pool's secret and bound to one user, so that digests cannot be moved. Hex.
 */
export function digestRecoveryCode(ports: MacPorts, pool: PoolRecord, username: string, code: string): string {
  return Buffer.from(
    computePoolMac(ports, pool, 'recovery-code', `${username}\n${normalizeRecoveryCode(code)}`),
  ).toString('hex');
}

/**
 * Creates the check that consumes a recovery code, in the write that decides on a login.
 * @param wrong the error if the code is invalid or was used before
 */
export function createRecoveryCodeCheck(
  ports: EventPorts & MacPorts,
  pool: PoolRecord,
  username: string,
  code: string,
  wrong: () => ProviderError,
): (transaction: PoolTransaction, current: UserWithCredential) => Promise<ProviderError | undefined> {
  const digestHex = digestRecoveryCode(ports, pool, username, code);
  return async (transaction, { user }) => {
    if (!(await transaction.recoveryCodes.use(pool.id, username, digestHex))) return wrong();
    await recordEvent(ports, transaction, { type: 'factor.recovery_code_used', pool, user });
    return undefined;
  };
}
