import { ProviderError } from '@poolgate/provider';
import { cognitoCallFailure } from '@poolgate/provider-cognito';
import { CommandError } from '../command-line/command.ts';

/** Runs a provider call, and translates its errors for the operator. */
export async function translateProviderErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError) throw new CommandError(`${error.message}${formatProviderFault(error)}`, error);
    throw error;
  }
}

/** For a failing provider: what happened, and where to find more. */
function formatProviderFault(error: ProviderError): string {
  const fault = cognitoCallFailure(error);
  if (fault === undefined || fault.kind === 'refused') return '';
  return ` (${fault.awsError ?? fault.kind}; run poolgate doctor for details)`;
}
