/**
 * Variables that name a real pool of Amazon: one whose users sign in by e-mail, with device tracking by choice, optional MFA
 * by authenticator, session tracking, and a client with SRP, choice-based and refresh flows. Credentials are found as the AWS SDK finds them.
 */
export const AWS_VARIABLES = ['POOLGATE_TEST_AWS_USER_POOL_ID', 'POOLGATE_TEST_AWS_CLIENT_ID'] as const;

/** What is missing to reach a real pool of Amazon; undefined where nothing is. */
export function missingForAmazon(): string | undefined {
  const missing = AWS_VARIABLES.filter((name) => !process.env[name]);
  return missing.length === 0 ? undefined : `no Amazon pool is named: ${missing.join(' and ')}`;
}
