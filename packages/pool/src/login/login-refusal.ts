import { ProviderError } from '@poolgate/provider';
import type { LoginRefusal } from './next-step.ts';

/** Converts a refusal of the login order to an error. */
export function toLoginRefusalError({ code, message, reason }: LoginRefusal): ProviderError {
  return new ProviderError(code, message, reason === undefined ? {} : { reason });
}
