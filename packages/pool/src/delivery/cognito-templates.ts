import type { MessageKind, StoredOnlyPoolSettings } from '../store/pool-and-client-settings.ts';
import type { MessageOverride } from './message-override.ts';

/** The pool settings with Cognito's templates. */
export type CognitoTemplateSettings = Pick<
  StoredOnlyPoolSettings,
  | 'AdminCreateUserConfig'
  | 'EmailMfaConfiguration'
  | 'EmailVerificationMessage'
  | 'EmailVerificationSubject'
  | 'SmsAuthenticationMessage'
  | 'SmsVerificationMessage'
  | 'VerificationMessageTemplate'
>;

type TemplateReader = (templates: CognitoTemplateSettings) => MessageOverride;

/** The older members mean the same as the template, which wins if both are set. */
const verification: TemplateReader = ({ VerificationMessageTemplate: template, ...older }) => ({
  smsMessage: template?.SmsMessage ?? older.SmsVerificationMessage,
  emailMessage: template?.EmailMessage ?? older.EmailVerificationMessage,
  emailSubject: template?.EmailSubject ?? older.EmailVerificationSubject,
});

const verificationLink: TemplateReader = ({ VerificationMessageTemplate: template }) => ({
  emailMessage: template?.EmailMessageByLink,
  emailSubject: template?.EmailSubjectByLink,
});

const invitation: TemplateReader = ({ AdminCreateUserConfig }) => ({
  smsMessage: AdminCreateUserConfig?.InviteMessageTemplate?.SMSMessage,
  emailMessage: AdminCreateUserConfig?.InviteMessageTemplate?.EmailMessage,
  emailSubject: AdminCreateUserConfig?.InviteMessageTemplate?.EmailSubject,
});

/** Second factors and passwordless codes share one template. */
const login: TemplateReader = ({ SmsAuthenticationMessage, EmailMfaConfiguration }) => ({
  smsMessage: SmsAuthenticationMessage,
  emailMessage: EmailMfaConfiguration?.Message,
  emailSubject: EmailMfaConfiguration?.Subject,
});

/** Cognito has no such message. */
const none: TemplateReader = () => ({});

/** @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html */
const TEMPLATE_READERS: Readonly<Record<MessageKind, TemplateReader>> = {
  sign_up: verification,
  sign_up_link: verificationLink,
  verify_contact: verification,
  forgot_password: verification,
  invitation,
  mfa: login,
  first_factor: login,
  sign_up_known: none,
  proofs_removed: none,
  new_device: none,
  password_changed: none,
  factor_changed: none,
  contact_changed: none,
  deletion_scheduled: none,
  codes_guessed: none,
};

/** Reads the texts that the pool's own templates, set through Cognito's API, have for a kind of message. */
export function readCognitoTemplates(
  templates: CognitoTemplateSettings | undefined,
  kind: MessageKind,
): MessageOverride {
  return templates === undefined ? {} : TEMPLATE_READERS[kind](templates);
}
