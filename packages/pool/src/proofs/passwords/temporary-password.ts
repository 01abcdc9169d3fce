import { generateRandomText } from '../../kernel/identifiers.ts';
import type { Random } from '../../kernel/ports.ts';
import type { PasswordPolicy } from '../../store/pool-and-client-settings.ts';

/** Without letters and digits that are mistaken for each other: people type these passwords from a message. */
const CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#$%&*+-=?@_'] as const;
const ALL = CLASSES.join('');
const LENGTH = 16;
const KEY_BYTES = 8;

/** A random password that keeps any policy: one character of each class at least, in any place. */
export function temporaryPassword(random: Random, { minimumLength }: Pick<PasswordPolicy, 'minimumLength'>): string {
  const needed = CLASSES.map((alphabet) => generateRandomText(random, alphabet, 1)).join('');
  const rest = generateRandomText(random, ALL, Math.max(LENGTH, minimumLength) - needed.length);
  return shuffle(random, Array.from(needed + rest)).join('');
}

/** By random sort keys of 64 bits: two equal ones are as good as impossible. */
function shuffle(random: Random, characters: readonly string[]): readonly string[] {
  return characters
    .map((character) => ({ character, key: random(KEY_BYTES) }))
    .sort((left, right) => Buffer.compare(left.key, right.key))
    .map(({ character }) => character);
}
