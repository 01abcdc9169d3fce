import { generateRandomText } from '../../kernel/identifiers.ts';
import type { Random } from '../../kernel/ports.ts';
import type { PasswordPolicy } from '../../store/pool-and-client-settings.ts';

/** Without letters and digits that look alike, because people type these passwords from a message. */
const CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#$%&*+-=?@_'] as const;
const ALL = CLASSES.join('');
const LENGTH = 16;
const KEY_BYTES = 8;

/** Generates a random password that satisfies any policy: at least one character of each class, in any position. */
export function temporaryPassword(random: Random, { minimumLength }: Pick<PasswordPolicy, 'minimumLength'>): string {
  const needed = CLASSES.map((alphabet) => generateRandomText(random, alphabet, 1)).join('');
  const rest = generateRandomText(random, ALL, Math.max(LENGTH, minimumLength) - needed.length);
  return shuffle(random, Array.from(needed + rest)).join('');
}

/** Sorts by random keys of 64 bits, so that equal keys are practically impossible. */
function shuffle(random: Random, characters: readonly string[]): readonly string[] {
  return characters
    .map((character) => ({ character, key: random(KEY_BYTES) }))
    .sort((left, right) => Buffer.compare(left.key, right.key))
    .map(({ character }) => character);
}
