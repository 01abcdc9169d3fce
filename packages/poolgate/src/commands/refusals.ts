import { ProviderError } from '@poolgate/provider';
import { CommandError } from './command.ts';

/** Runs a call to the provider; its refusals are told to the operator in its own words. */
export async function refusable<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError) throw new CommandError(error.message, error);
    throw error;
  }
}
