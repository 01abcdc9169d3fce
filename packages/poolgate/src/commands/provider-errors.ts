import { ProviderError } from '@poolgate/provider';
import { cognitoCallFailure } from '@poolgate/provider-cognito';
import { CommandError } from '../command-line/command.ts';

/** Runs a call to the provider; its refusals are told to the operator in its own words. */
export async function translateProviderErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError) throw new CommandError(`${error.message}${formatProviderFault(error)}`, error);
    throw error;
  }
}

/** Of a provider that is not well, what it was, and who says more. */
function formatProviderFault(error: ProviderError): string {
  const fault = cognitoCallFailure(error);
  if (fault === undefined || fault.kind === 'refused') return '';
  return ` (${fault.awsError ?? fault.kind}; poolgate doctor says more)`;
}
