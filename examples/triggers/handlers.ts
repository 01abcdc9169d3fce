/**
 * Triggers of a user pool in the shape of AWS Lambda handlers: the same file runs in Lambda, behind a URL, and in Poolgate's process.
 * docs/reference/triggers.md says how each of them is called.
 */
import type {
  CreateAuthChallengeTriggerHandler,
  CustomMessageTriggerHandler,
  DefineAuthChallengeTriggerHandler,
  PreSignUpTriggerHandler,
  PreTokenGenerationV2TriggerHandler,
  VerifyAuthChallengeResponseTriggerHandler,
} from 'aws-lambda';

/** Only people of one company sign up, and their addresses need no code. */
export const preSignUp: PreSignUpTriggerHandler = async (event) => {
  const { email = '' } = event.request.userAttributes;
  if (!email.endsWith('@example.com')) throw new Error('Only people of Example Inc. can sign up');
  event.response.autoConfirmUser = true;
  event.response.autoVerifyEmail = true;
  return event;
};

/** Both tokens say to which department the user belongs, and the access token may read reports. */
export const preTokenGeneration: PreTokenGenerationV2TriggerHandler = async (event) => {
  const [department = ''] = (event.request.userAttributes.email ?? '').split('.');
  event.response = {
    claimsAndScopeOverrideDetails: {
      idTokenGeneration: { claimsToAddOrOverride: { department } },
      accessTokenGeneration: { claimsToAddOrOverride: { department }, scopesToAdd: ['reports/read'] },
    },
  };
  return event;
};

const QUESTIONS = { color: { question: 'The color of the sky?', answer: 'blue' } } as const;

/** A login by a question: first the password where the client began with it, then the question, three times at most. */
export const defineAuthChallenge: DefineAuthChallengeTriggerHandler = async (event) => {
  const { session, userNotFound } = event.request;
  const last = session.at(-1);
  const asked = session.filter(({ challengeName }) => challengeName === 'CUSTOM_CHALLENGE');
  event.response.issueTokens = false;
  event.response.failAuthentication = false;
  if (last?.challengeName === 'SRP_A') event.response.challengeName = 'PASSWORD_VERIFIER';
  else if (last?.challengeName === 'CUSTOM_CHALLENGE' && last.challengeResult && userNotFound !== true) {
    event.response.issueTokens = true;
  } else if (asked.length >= 3 || (last?.challengeResult === false && last.challengeName !== 'CUSTOM_CHALLENGE')) {
    event.response.failAuthentication = true;
  } else event.response.challengeName = 'CUSTOM_CHALLENGE';
  return event;
};

/** What the client shows, and what only {@link verifyAuthChallengeResponse} is told. */
export const createAuthChallenge: CreateAuthChallengeTriggerHandler = async (event) => {
  const { question, answer } = QUESTIONS.color;
  event.response.publicChallengeParameters = { question };
  event.response.privateChallengeParameters = { answer };
  event.response.challengeMetadata = 'COLOR';
  return event;
};

/** Whether the answer is right. */
export const verifyAuthChallengeResponse: VerifyAuthChallengeResponseTriggerHandler = async (event) => {
  event.response.answerCorrect = event.request.challengeAnswer === event.request.privateChallengeParameters.answer;
  return event;
};

/** The words of the mail with the code of a forgotten password; all other messages keep theirs. */
export const customMessage: CustomMessageTriggerHandler = async (event) => {
  if (event.triggerSource === 'CustomMessage_ForgotPassword') {
    event.response.emailSubject = 'Your way back in';
    event.response.emailMessage = `Hello ${event.request.userAttributes.name ?? 'there'}, your code is ${event.request.codeParameter}.`;
  }
  return event;
};
