import { PoolgateError } from '@poolgate/client';

const CODE_ERRORS: ReadonlySet<string> = new Set(['code_expired', 'code_mismatch', 'invalid_session']);

/** Whether the code or link was refused, not the proof: it was used in another tab meanwhile, or it expired. */
export function isCodeError(error: unknown): error is PoolgateError {
  return error instanceof PoolgateError && CODE_ERRORS.has(error.code);
}
