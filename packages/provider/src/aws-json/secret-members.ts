/**
 * Request members whose values, including everything below them, are never repeated in a response. The service model marks the first group
 * as sensitive, and AWS omits these values too. The second group has proofs, codes and personal data that the model does not mark.
 */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'AccessToken',
  'AuthParameters',
  'ChallengeResponses',
  'ClientId',
  'ClientSecret',
  'FeedbackToken',
  'Password',
  'PreviousPassword',
  'ProposedPassword',
  'RefreshToken',
  'SecretHash',
  'Session',
  'TemporaryPassword',
  'Token',
  'UserCode',
  'UserContextData',
  'Username',
  'Value',

  'ClientMetadata',
  'Code',
  'ConfirmationCode',
  'ContextData',
  'Credential',
  'DeviceSecretVerifierConfig',
  'Filter',
  'NextToken',
  'PaginationToken',
  'PasswordVerifier',
  'ProviderAttributeValue',
  'ProviderDetails',
  'Salt',
  'Secret',
]);
