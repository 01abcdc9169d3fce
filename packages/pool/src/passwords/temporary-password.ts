import type { Random } from '../kernel/ports.ts';
import type { PasswordPolicy } from '../settings.ts';
import { randomText } from '../users/identifiers.ts';

/** Without letters and digits that are mistaken for each other: people type these passwords from a message. */
const CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#$%&*+-=?@_'] as const;
const ALL = CLASSES.join('');
const LENGTH = 16;
const KEY_BYTES = 8;

/** A random password that keeps any policy: one character of each class at least, in any place. */
export function temporaryPassword(random: Random, { minimumLength }: Pick<PasswordPolicy, 'minimumLength'>): string {
  const needed = CLASSES.map((alphabet) => randomText(random, alphabet, 1)).join('');
  const rest = randomText(random, ALL, Math.max(LENGTH, minimumLength) - needed.length);
  return shuffled(random, Array.from(needed + rest)).join('');
}

/** By random sort keys of 64 bits: two equal ones are as good as impossible. */
function shuffled(random: Random, characters: readonly string[]): readonly string[] {
  return characters
    .map((character) => ({ character, key: random(KEY_BYTES) }))
    .sort((left, right) => Buffer.compare(left.key, right.key))
    .map(({ character }) => character);
}
