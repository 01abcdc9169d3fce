import type { Message } from './message.ts';

/** English for sign-up, recovery, and the pages of emailed links. Apart from the other texts, because a sign-in does not need them. */
export const FORMS_EN = {
  'signUp.title': 'Create your account',
  'signUp.titleTo': 'Create your {app} account',
  'signUp.subtitle': 'It takes less than a minute.',
  'signUp.submit': 'Create account',
  'signUp.haveAccount': 'Already have an account?',

  'verify.title': 'Confirm your email address',
  'verify.subtitle': 'Enter the code we sent to {destination}.',
  'verify.submit': 'Confirm',
  'verify.doneSubtitle': 'You can sign in now.',

  'forgot.title': 'Forgot your password?',
  'forgot.subtitle': 'Enter your email or username and we’ll send you a reset code.',
  'forgot.submit': 'Send code',
  'forgot.back': 'Back to sign-in',

  'reset.title': 'Set a new password',
  'reset.subtitle': 'If {username} has an account, we’ve sent a code.',
  'reset.submit': 'Set new password',
  'reset.doneSubtitle': 'Sign in with your new password.',
  'reset.tooManyCodes': 'Too many wrong codes. Request a new code.',

  'notMe.title': 'Wasn’t this you?',
  'notMe.question':
    'We sent you a message about a change to your account. If you didn’t make it, someone else may have access.',
  'notMe.effect': 'This signs out every device. You’ll then set a new password.',
  'notMe.submit': 'This wasn’t me',
  'notMe.done': 'All devices are signed out',
  'notMe.doneSubtitle': 'Set a new password now so that no one else can sign in.',

  'confirm.question': 'Someone signed up with your email address.',
  'confirm.effect': 'If it was you, confirm your address. If not, close this page and nothing changes.',
  'confirm.submit': 'Confirm my address',
  'claim.title': 'Enter your password',
  'claim.subtitle': 'Enter the password you chose at sign-up to confirm that this account is yours.',
  'claim.useNew': 'I didn’t sign up, or I forgot the password',
  'claim.newEffect': 'This removes everything entered at sign-up except your confirmed address.',
  'claim.useOld': 'Use my sign-up password',

  'link.used': 'This link has expired or was already used.',
  'link.missing': 'This link is incomplete. Open it again from the message.',
} as const satisfies Readonly<Record<string, Message>>;
