/**
 * Request members whose value no answer ever repeats, nor that of anything below them.
 * The first group is what the service model marks as sensitive; AWS leaves these values out of its texts as well.
 * The second carries proofs, codes and personal data that the model does not mark.
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
