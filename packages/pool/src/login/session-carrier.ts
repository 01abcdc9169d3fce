import type { ProviderError } from '@poolgate/provider';
import {
  expiredSessionError,
  invalidSessionError,
  missingParameterError,
  spentSessionError,
  unusableSecretBlockError,
} from '../identity/login-errors.ts';
import type { ParameterMap, SessionCarrierName } from './challenges/challenge.ts';

/** A client's response to a challenge. */
export interface ChallengeAnswer {
  readonly session: string | undefined;
  readonly responses: ParameterMap;
}

/** Encrypts a session, completely or without the challenge's data. */
interface SessionEncryption {
  full(): string;
  bare(): string;
}

/** How an encrypted session travels to the client and back, and how it is refused. */
export interface SessionCarrier {
  attach(encrypted: SessionEncryption): { readonly Session?: string; readonly parameters: ParameterMap };
  /** @throws {ProviderError} `InvalidParameterException`: it is missing */
  extract(answer: ChallengeAnswer): string;
  readonly invalid: () => ProviderError;
  readonly expired: () => ProviderError;
  readonly spent: () => ProviderError;
}

/** Returns the encrypted session in a secret block; empty for other text. */
export function decodeSecretBlock(block: string): string {
  const bytes = Buffer.from(block, 'base64');
  return bytes.toString('base64') === block ? bytes.toString() : '';
}

/**
 * A secret block is standard base64, because clients sign its decoded bytes. Another spelling of the same bytes is rejected. It needs no
 * `Session`, because many clients send none with `PASSWORD_VERIFIER`.
 */
const SECRET_BLOCK: SessionCarrier = {
  attach: (encrypted) => ({ parameters: { SECRET_BLOCK: Buffer.from(encrypted.full()).toString('base64') } }),
  extract: ({ responses }) =>
    decodeSecretBlock(requireParameterValue('PASSWORD_CLAIM_SECRET_BLOCK', responses.PASSWORD_CLAIM_SECRET_BLOCK)),
  invalid: unusableSecretBlockError,
  expired: unusableSecretBlockError,
  spent: unusableSecretBlockError,
};

/**
 * In addition to a secret block, `Session` is set for clients that return it; only the block counts. Without the challenge's data it fits
 * the Cognito API's maximum length of a `Session`.
 */
export const SESSION_CARRIERS: Readonly<Record<SessionCarrierName, SessionCarrier>> = {
  session: {
    attach: (encrypted) => ({ Session: encrypted.full(), parameters: {} }),
    extract: ({ session }) => requireParameterValue('Session', session),
    invalid: invalidSessionError,
    expired: expiredSessionError,
    spent: spentSessionError,
  },
  secretBlock: SECRET_BLOCK,
  secretBlockAndSession: {
    ...SECRET_BLOCK,
    attach: (encrypted) => ({ ...SECRET_BLOCK.attach(encrypted), Session: encrypted.bare() }),
  },
};

function requireParameterValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw missingParameterError(name);
  return value;
}
