import { type CallContext, ProviderError } from '@poolgate/provider';
import type { CallPort } from '../../kernel/ports.ts';

/** Why an authenticator's response was refused: stable codes for the log, with their meaning. Clients never see them. */
export const PASSKEY_REFUSALS = {
  malformed: 'The answer does not have the form that WebAuthn requires.',
  challenge: 'The challenge is unknown, expired or used.',
  app_client: 'The registration was started through another app client.',
  origin: 'The page has an origin that is not allowed, or is in a frame.',
  rp_id: 'The answer is for another relying party ID.',
  user_presence: 'The authenticator did not confirm that a user was present.',
  user_verification: 'The pool requires user verification, and the authenticator did not verify the user.',
  user_handle: 'The user handle is missing or belongs to another user.',
  unknown_credential: 'The user has no passkey with this ID.',
  credential_exists: 'A passkey with this ID is already registered.',
  public_key: 'The public key is invalid, or its algorithm is not supported.',
  attestation_format: 'The attestation format is not supported.',
  attestation_statement: 'The attestation statement is invalid.',
  signature: 'The signature is invalid.',
  backup_eligibility: 'The passkey changed whether it can be backed up.',
  counter: 'The signature counter did not increase, so the passkey may have been copied.',
} as const;

/** A code of {@link PASSKEY_REFUSALS}. */
export type PasskeyRefusalCode = keyof typeof PASSKEY_REFUSALS;

/** A refused response, as reported to the operator. */
export interface PasskeyRefusalReport {
  readonly answer: 'assertion' | 'attestation';
  readonly code: PasskeyRefusalCode;
}

/** Called for each refused response, with its call. */
export type ReportPasskeyRefusal = (report: PasskeyRefusalReport, call: CallContext) => void;

/** The hook that receives refused passkeys. */
export interface PasskeyRefusalPort {
  readonly onPasskeyRefusal?: ReportPasskeyRefusal;
}

/** The cause of a refused registration. Its message contains nothing from the response. */
export class PasskeyRefusal extends Error {
  readonly code: PasskeyRefusalCode;

  constructor(code: PasskeyRefusalCode, cause?: unknown) {
    super(PASSKEY_REFUSALS[code], cause === undefined ? undefined : { cause });
    this.name = 'PasskeyRefusal';
    this.code = code;
  }
}

/** Reports a refused response. */
export function reportPasskeyRefusal(
  { call, onPasskeyRefusal }: PasskeyRefusalPort & CallPort,
  report: PasskeyRefusalReport,
): void {
  onPasskeyRefusal?.(report, call);
}

/** Awaits the processing of a response, and reports the reason if it is refused. */
export async function withPasskeyRefusalReports<Result>(
  ports: PasskeyRefusalPort & CallPort,
  answer: PasskeyRefusalReport['answer'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = findRefusalCode(error);
    if (code !== undefined) reportPasskeyRefusal(ports, { answer, code });
    throw error;
  }
}

/** Refusals without a cause come from parsing the response. */
function findRefusalCode(error: unknown): PasskeyRefusalCode | undefined {
  if (!(error instanceof ProviderError) || error.reason !== 'invalid_credential') return undefined;
  return error.cause instanceof PasskeyRefusal ? error.cause.code : 'malformed';
}
