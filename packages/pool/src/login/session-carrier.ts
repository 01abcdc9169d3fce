import type { ProviderError } from '@poolgate/provider';
import {
  expiredSessionError,
  invalidSessionError,
  missingParameterError,
  spentSessionError,
  unusableSecretBlockError,
} from '../identity/login-errors.ts';
import type { ParameterMap, SessionCarrierName } from './challenges/challenge.ts';

/** What a client sends to answer a challenge. */
export interface ChallengeAnswer {
  readonly session: string | undefined;
  readonly responses: ParameterMap;
}

/** Encrypts a session: in full, or without what the pending challenge keeps. */
interface SessionEncryption {
  full(): string;
  bare(): string;
}

/** How an encrypted session travels to the client and back, and how it is refused. */
export interface SessionCarrier {
  attach(encrypted: SessionEncryption): { readonly Session?: string; readonly parameters: ParameterMap };
  /** @throws {ProviderError} `InvalidParameterException`: it is not there */
  extract(answer: ChallengeAnswer): string;
  readonly invalid: () => ProviderError;
  readonly expired: () => ProviderError;
  readonly spent: () => ProviderError;
}

/** The encrypted session in a secret block; empty where the text is not one. */
export function decodeSecretBlock(block: string): string {
  const bytes = Buffer.from(block, 'base64');
  return bytes.toString('base64') === block ? bytes.toString() : '';
}

/**
 * A secret block is standard base64, because clients sign the bytes that it stands for; another spelling of the same
 * bytes is none of ours. It needs no `Session` beside it: many clients send none with `PASSWORD_VERIFIER`.
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
 * Beside a secret block the `Session` is there for clients that send one back; the block alone counts. Without the state it
 * keeps to the length that the Cognito API allows a `Session`.
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
