import type { SourceNetwork } from '../../kernel/source-network.ts';

/** Tells whether a password is among those that are known to have leaked. */
export type BreachCheck = (password: string) => Promise<boolean>;

/**
 * Gives the rests of the SHA-1 digests of leaked passwords that begin with five upper-case hexadecimal digits.
 * @param sources the networks of the request, narrowest first: each causes a bounded number of requests elsewhere
 */
export type LeakedPasswordLookup = (prefix: string, sources: readonly SourceNetwork[]) => Promise<readonly string[]>;
