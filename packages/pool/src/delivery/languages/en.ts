import type { Language } from './message-language.ts';

const ACTION = 'This was not me';

export const en: Language = {
  sign_up: {
    subject: 'Your verification code',
    text: 'Your verification code is {####}\n\nIf you did not sign up, ignore this message.',
    sms: 'Your verification code is {####}',
  },
  sign_up_link: {
    subject: 'Confirm your e-mail address',
    text: 'Please confirm that this is your e-mail address.\n\n{##Confirm my address##}\n\nIf you did not sign up, ignore this message.',
    sms: 'Please confirm your e-mail address by the link in the mail.',
  },
  invitation: {
    subject: 'Your temporary password',
    text: 'Your username is {username} and temporary password is {####}',
    sms: 'Your username is {username} and temporary password is {####}',
  },
  mfa: {
    subject: 'Your authentication code',
    text: 'Your authentication code is {####}\n\nWe will never ask you for it. If you are not signing in, somebody knows your password: change it.',
    sms: 'Your authentication code is {####}. Tell it to nobody.',
  },
  first_factor: {
    subject: 'Your sign-in code',
    text: 'Your sign-in code is {####}\n\nWe will never ask you for it. If you are not signing in, ignore this message.',
    sms: 'Your sign-in code is {####}. Tell it to nobody.',
  },
  forgot_password: {
    subject: 'Your password reset code',
    text: 'Your password reset code is {####}\n\nIf you did not ask for it, ignore this message: your password stays as it is.',
    sms: 'Your password reset code is {####}. Tell it to nobody.',
  },
  verify_contact: {
    subject: 'Your verification code',
    text: 'Your verification code is {####}\n\nIf you did not ask for it, ignore this message.',
    sms: 'Your verification code is {####}',
  },
  sign_up_known: {
    subject: 'You have an account already',
    text: 'Somebody wanted to sign up as {username}. You have an account with this name already, and nothing was changed in it.\n\nIf it was you, sign in. If you do not know your password any more, ask for a new one there.\n\nIf it was not you, ignore this message.',
    sms: 'Somebody wanted to sign up with your name. You have an account already; nothing was changed in it.',
  },
  proofs_removed: {
    subject: 'Your account is yours alone',
    text: 'You have signed in to {username} by a code. Until then nobody had proven to have this address or number, so that the account could have been made by somebody else.\n\nWhatever was set in it before is gone: the password, passkeys, second factors, other contacts and sessions. If you had chosen a password yourself, choose one again.',
    sms: 'You have signed in by a code. What was set in your account before, like its password, is gone: choose it again.',
  },
  new_device: {
    subject: 'A new device',
    text: 'A new device was added to your account {username}.\n\nIf it was not you, open this link. It ends all your sessions, and asks for a new password:\n{####}',
    sms: 'A new device was added to your account.',
    action: ACTION,
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'Your account {username} has a new password.\n\nIf it was not you, open this link. It ends all your sessions, and asks for a new password:\n{####}',
    sms: 'The password of your account was changed.',
    action: ACTION,
  },
  factor_changed: {
    subject: 'Your sign-in methods were changed',
    text: 'The sign-in methods of your account {username} were changed: {change}.\n\nIf it was not you, open this link. It ends all your sessions, and asks for a new password:\n{####}',
    sms: 'The sign-in methods of your account were changed.',
    action: ACTION,
  },
  codes_guessed: {
    subject: 'Somebody guesses at your codes',
    text: 'Very many wrong codes were tried for your account {username}, after a right password or another first step. Signing in with a code may have to wait up to a day now.\n\nIf it was not you, somebody knows your password. Open this link: it ends all your sessions, and asks for a new password:\n{####}',
    sms: 'Very many wrong codes were tried for your account. If it was not you, change your password.',
    action: ACTION,
  },
  contact_changed: {
    subject: 'Your contact was changed',
    text: 'The e-mail address or telephone number of your account {username} was changed. This message goes to the address that you had before.\n\nIf it was not you, open this link. It ends all your sessions, and asks for a new password:\n{####}',
    sms: 'The e-mail address or telephone number of your account was changed.',
    action: ACTION,
  },
};
