import type { Random } from '@poolgate/pool';
import type { ResolvedDeclaration } from '../plan/resolve-declaration.ts';
import type { ResourceIds } from '../resources/resource-type.ts';

const LOWER_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LETTERS_AND_DIGITS = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${LOWER_AND_DIGITS}`;

/** A random text over at most 64 characters; the bytes of a higher part of the range are left out, so that each is equally likely. */
function generateText(random: Random, alphabet: string, length: number): string {
  const fairBelow = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < fairBelow && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/**
 * The ids of a resource to create. They are chosen before the call, so that a repeated apply finds the resource that the first one created.
 */
export function generateIds(random: Random, region: string, resolved: ResolvedDeclaration): ResourceIds {
  const { declaration, physicalId, poolId = '', pinnedId } = resolved;
  if (declaration.type.name === 'UserPool') {
    const id = pinnedId ?? `${region}_${generateText(random, LETTERS_AND_DIGITS, 9)}`;
    return { poolId: id, physicalId: id };
  }
  return { poolId, physicalId: physicalId ?? pinnedId ?? generateText(random, LOWER_AND_DIGITS, 26) };
}
