import type { ProviderError } from '@poolgate/provider';
import type { CarrierName, Parameters } from '../challenges/challenge.ts';
import {
  expiredSession,
  foreignSession,
  missingParameter,
  spentSession,
  uselessSecretBlock,
} from '../domain/refusals.ts';

/** What a client sends to answer a challenge. */
export interface Answer {
  readonly session: string | undefined;
  readonly responses: Parameters;
}

/** Seals a session: in full, or without what the pending challenge keeps. */
interface Sealing {
  full(): string;
  bare(): string;
}

/** How a sealed session travels to the client and back, and how it is refused. */
export interface Carrier {
  give(sealing: Sealing): { readonly Session?: string; readonly parameters: Parameters };
  /** @throws {ProviderError} `InvalidParameterException`: it is not there */
  take(answer: Answer): string;
  readonly foreign: () => ProviderError;
  readonly expired: () => ProviderError;
  readonly spent: () => ProviderError;
}

/**
 * A secret block is standard base64, because clients sign the bytes that it stands for; another spelling of the same
 * bytes is none of ours. It needs no `Session` beside it: many clients send none with `PASSWORD_VERIFIER`.
 */
const SECRET_BLOCK: Carrier = {
  give: (sealing) => ({ parameters: { SECRET_BLOCK: Buffer.from(sealing.full()).toString('base64') } }),
  take: ({ responses }) => {
    const block = required('PASSWORD_CLAIM_SECRET_BLOCK', responses.PASSWORD_CLAIM_SECRET_BLOCK);
    const bytes = Buffer.from(block, 'base64');
    return bytes.toString('base64') === block ? bytes.toString() : '';
  },
  foreign: uselessSecretBlock,
  expired: uselessSecretBlock,
  spent: uselessSecretBlock,
};

/**
 * Beside a secret block the `Session` is there for clients that send one back; the block alone counts. Without the state it
 * keeps to the length that the wire allows a `Session`.
 */
export const CARRIERS: Readonly<Record<CarrierName, Carrier>> = {
  session: {
    give: (sealing) => ({ Session: sealing.full(), parameters: {} }),
    take: ({ session }) => required('Session', session),
    foreign: foreignSession,
    expired: expiredSession,
    spent: spentSession,
  },
  secretBlock: SECRET_BLOCK,
  secretBlockAndSession: {
    ...SECRET_BLOCK,
    give: (sealing) => ({ ...SECRET_BLOCK.give(sealing), Session: sealing.bare() }),
  },
};

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw missingParameter(name);
  return value;
}
