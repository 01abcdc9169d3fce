/**
 * Variables that name a real Amazon pool. Its users sign in with email addresses, device tracking is opt-in, MFA is optional with an
 * authenticator, and sessions are tracked. Its client has SRP, choice-based and refresh flows. The AWS SDK finds the credentials.
 */
export const AWS_VARIABLES = ['POOLGATE_TEST_AWS_USER_POOL_ID', 'POOLGATE_TEST_AWS_CLIENT_ID'] as const;

/** Returns what is missing to reach a real Amazon pool; undefined if nothing is. */
export function missingForAmazon(): string | undefined {
  const missing = AWS_VARIABLES.filter((name) => !process.env[name]);
  return missing.length === 0 ? undefined : `no Amazon pool is named: ${missing.join(' and ')}`;
}
