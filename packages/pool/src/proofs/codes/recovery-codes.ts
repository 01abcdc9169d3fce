import type { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../kernel/audit-events.ts';
import { generateRandomText } from '../../kernel/identifiers.ts';
import type { EventPorts, MacPorts, RandomPort } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { PoolRecord, UserWithCredential } from '../../store/records.ts';

/** Consonants alone, so that no code is a word. Letters alone, so that no code is mistaken for one that was sent. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz';

/** 12 letters of 20 are 51 bits: under a key that lies outside the database, none of them can be found by trying. */
const LENGTH = 12;
const COUNT = 10;

const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const GROUPING = /[\s-]/g;

/** What a person may type of a code: either case, with spaces or hyphens between the letters. */
function normalizeRecoveryCode(text: string): string {
  return text.replace(GROUPING, '').toLowerCase();
}

/** Ten new recovery codes, all different. */
export function generateRecoveryCodes(ports: RandomPort): readonly string[] {
  const codes = new Set<string>();
  while (codes.size < COUNT) codes.add(generateRandomText(ports.random, ALPHABET, LENGTH));
  return [...codes];
}

/** Whether a text has the form of a recovery code; no code of digits has it. */
export function isRecoveryCode(text: string): boolean {
  return FORM.test(normalizeRecoveryCode(text));
}

/** What is stored of a recovery code: a digest under the pool's secret, of one user, so that digests cannot be moved. Hex. */
export function digestRecoveryCode(ports: MacPorts, pool: PoolRecord, username: string, code: string): string {
  return Buffer.from(
    computePoolMac(ports, pool, 'recovery-code', `${username}\n${normalizeRecoveryCode(code)}`),
  ).toString('hex');
}

/**
 * What uses a recovery code up, inside the write that decides on a login.
 * @param wrong the refusal where it is none, or was used before
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
