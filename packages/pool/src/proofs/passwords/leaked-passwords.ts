import type { SourceNetwork } from '../../kernel/source-network.ts';

/** Whether a password is known to have leaked. */
export type BreachCheck = (password: string) => Promise<boolean>;

/**
 * Returns the suffixes of the SHA-1 digests of leaked passwords that start with five uppercase hexadecimal digits.
 * @param sources the networks of the request, narrowest first; each can cause a limited number of external requests
 */
export type LeakedPasswordLookup = (prefix: string, sources: readonly SourceNetwork[]) => Promise<readonly string[]>;
