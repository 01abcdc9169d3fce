import type { GatewayDeps, Random } from '../kernel/deps.ts';

/** Without characters that look alike on paper. One of each kind satisfies every pool's policy. */
const CHARACTER_CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!#%+-=?@_'] as const;
const ALL_CHARACTERS = CHARACTER_CLASSES.join('');
const LENGTH = 20;

/** A temporary password that the served pool accepts. */
export async function createTemporaryPassword({ provider, userPoolId, random }: GatewayDeps): Promise<string> {
  const pool = await provider.describe(userPoolId);
  return generateTemporaryPassword(random, pool?.passwordPolicy?.minimumLength);
}

/**
 * Generates a temporary password of 20 characters (about 118 random bits), or more if the policy requires it, with lowercase, uppercase,
 * digit and symbol.
 */
export function generateTemporaryPassword(random: Random, minimumLength = 0): string {
  const draw = (alphabet: string): string => alphabet[drawBelow(alphabet.length, random)] as string;
  const characters = CHARACTER_CLASSES.map(draw);
  while (characters.length < Math.max(LENGTH, minimumLength)) characters.push(draw(ALL_CHARACTERS));
  return shuffle(characters, random).join('');
}

/** Fisher–Yates. */
function shuffle(items: readonly string[], random: Random): readonly string[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = drawBelow(last + 1, random);
    [result[last], result[chosen]] = [result[chosen] as string, result[last] as string];
  }
  return result;
}

/** Draws a whole number below `limit` (at most 256) with equal probability. Bytes that would favor some numbers are drawn again. */
function drawBelow(limit: number, random: Random): number {
  const unbiased = 256 - (256 % limit);
  for (;;) {
    const [byte = 0] = random(1);
    if (byte < unbiased) return byte % limit;
  }
}
