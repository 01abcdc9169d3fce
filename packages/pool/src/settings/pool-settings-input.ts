import { type Input, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import { completeAcrConfiguration, isLevelKey } from './acr-levels.ts';
import { hasLinkPlaceholder } from './template-placeholders.ts';

/** The settings of a pool in a request: the members that `CreateUserPool` and `UpdateUserPool` share. */
export type PoolSettingsInput = Omit<Input<'UpdateUserPool'>, 'UserPoolId' | 'PoolName'>;

interface PoolRule {
  readonly isBroken: (members: PoolSettingsInput) => boolean;
  readonly code: ProviderErrorCode;
  readonly message: string;
}

const TIER = 'FeatureUnavailableInTierException';
const INVALID = 'InvalidParameterException';

const listRequestedFactors = ({ Policies }: PoolSettingsInput) => Policies?.SignInPolicy?.AllowedFirstAuthFactors ?? [];
const listRequestedMechanisms = ({ AccountRecoverySetting }: PoolSettingsInput) =>
  AccountRecoverySetting?.RecoveryMechanisms ?? [];

/** Values that no Cognito pool can have. The first violation is reported. */
const RULES: readonly PoolRule[] = [
  {
    isBroken: ({ AcrConfiguration = {} }) => {
      const values = Object.values(completeAcrConfiguration(AcrConfiguration)).map(({ AcrValue }) => AcrValue);
      return !Object.keys(AcrConfiguration).every(isLevelKey) || new Set(values).size !== values.length;
    },
    code: INVALID,
    message: 'AcrConfiguration can name Level1 to Level4, and each name must be unique, including the default names.',
  },
  {
    isBroken: ({ AcrConfiguration = {}, UserPoolTier }) =>
      UserPoolTier === 'LITE' && Object.keys(AcrConfiguration).length > 0,
    code: TIER,
    message: 'AcrConfiguration requires the ESSENTIALS or PLUS feature plan.',
  },
  {
    isBroken: ({ LambdaConfig: { PreTokenGeneration, PreTokenGenerationConfig } = {} }) =>
      PreTokenGeneration !== undefined &&
      PreTokenGenerationConfig !== undefined &&
      PreTokenGeneration !== PreTokenGenerationConfig.LambdaArn,
    code: INVALID,
    message: 'PreTokenGeneration and PreTokenGenerationConfig must name the same Lambda function.',
  },
  {
    // The API's pattern accepts {####} for a link, but the service does not: aws-cli issue 8280.
    isBroken: ({ VerificationMessageTemplate: template }) =>
      template?.EmailMessageByLink !== undefined && !hasLinkPlaceholder(template.EmailMessageByLink),
    code: INVALID,
    message: 'The message is invalid.',
  },
  {
    isBroken: (members) =>
      listRequestedFactors(members).length > 0 && !listRequestedFactors(members).includes('PASSWORD'),
    code: INVALID,
    message: 'AllowedFirstAuthFactors must include PASSWORD.',
  },
  {
    isBroken: (members) => listRequestedFactors(members).includes('SOFTWARE_TOKEN'),
    code: INVALID,
    message: 'SOFTWARE_TOKEN cannot be a first factor.',
  },
  {
    isBroken: (members) =>
      members.UserPoolTier === 'LITE' && listRequestedFactors(members).some((factor) => factor !== 'PASSWORD'),
    code: TIER,
    message: 'Passwordless sign-in is not available in the tier of the user pool.',
  },
  {
    isBroken: (members) => {
      const names = listRequestedMechanisms(members).map(({ Name }) => Name);
      return new Set(names).size !== names.length || (names.includes('admin_only') && names.length > 1);
    },
    code: INVALID,
    message: 'Invalid account recovery setting: admin_only stands alone, and no mechanism stands twice.',
  },
  {
    isBroken: (members) => {
      const priorities = listRequestedMechanisms(members).map(({ Priority }) => Priority);
      return new Set(priorities).size !== priorities.length;
    },
    code: INVALID,
    message: 'Invalid account recovery setting: two mechanisms have the same priority.',
  },
  {
    isBroken: ({ UserPoolTags = {} }) => findTagProblem(UserPoolTags) !== undefined,
    code: 'UserPoolTaggingException',
    message: 'Tags must have a key of 1 to 128 characters that does not begin with aws:, and there are 50 at most.',
  },
];

const MAX_TAGS = 50;

/** Returns what is wrong with a pool's tags; undefined if nothing. */
export function findTagProblem(tags: Readonly<Record<string, string>>): string | undefined {
  const keys = Object.keys(tags);
  if (keys.length > MAX_TAGS) return `A user pool can have ${MAX_TAGS} tags at most.`;
  const isBad = (key: string) => key === '' || Array.from(key).length > 128 || key.toLowerCase().startsWith('aws:');
  return keys.some(isBad) ? 'Tag keys must have 1 to 128 characters and not begin with aws:.' : undefined;
}

/** @throws {ProviderError} `InvalidParameterException`, `FeatureUnavailableInTierException` or `UserPoolTaggingException` */
export function checkPoolSettingsInput(members: PoolSettingsInput): void {
  const broken = RULES.find(({ isBroken }) => isBroken(members));
  if (broken !== undefined) throw new ProviderError(broken.code, broken.message);
}
