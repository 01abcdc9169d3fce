import type { Language } from './message-language.ts';

const ACTION = 'This wasn’t me';

export const en: Language = {
  sign_up: {
    subject: 'Your verification code',
    text: 'Your verification code is {####}\n\nIf you didn’t sign up, you can ignore this message.',
    sms: 'Your verification code is {####}',
  },
  sign_up_link: {
    subject: 'Confirm your email address',
    text: 'Confirm your email address to finish signing up.\n\n{##Confirm my address##}\n\nIf you didn’t sign up, you can ignore this message.',
    sms: 'Use the link in the email we sent you to confirm your email address.',
  },
  invitation: {
    subject: 'Your temporary password',
    text: 'Your username is {username} and temporary password is {####}',
    sms: 'Your username is {username} and temporary password is {####}',
  },
  mfa: {
    subject: 'Your authentication code',
    text: 'Your authentication code is {####}\n\nWe’ll never ask you for this code. If you’re not signing in right now, someone knows your password. Change it.',
    sms: "Your authentication code is {####}. Don't share it with anyone.",
  },
  first_factor: {
    subject: 'Your sign-in code',
    text: 'Your sign-in code is {####}\n\nWe’ll never ask you for this code. If you’re not signing in right now, you can ignore this message.',
    sms: "Your sign-in code is {####}. Don't share it with anyone.",
  },
  forgot_password: {
    subject: 'Your password reset code',
    text: 'Your password reset code is {####}\n\nIf you didn’t request it, you can ignore this message. Your password stays the same.',
    sms: "Your password reset code is {####}. Don't share it with anyone.",
  },
  verify_contact: {
    subject: 'Your verification code',
    text: 'Your verification code is {####}\n\nIf you didn’t request it, you can ignore this message.',
    sms: 'Your verification code is {####}',
  },
  sign_up_known: {
    subject: 'You already have an account',
    text: 'Someone tried to sign up as {username}. You already have an account with this name, and nothing in it has changed.\n\nIf it was you, sign in. If you forgot your password, you can reset it there.\n\nIf it wasn’t you, you can ignore this message.',
    sms: 'Someone tried to sign up with your name. You already have an account; nothing in it has changed.',
  },
  proofs_removed: {
    subject: 'Your account has been secured',
    text: 'You signed in to {username} with a code. Until then, no one had proven that they own this address or number, so someone else could have created the account.\n\nWe removed everything that was set up before: the password, passkeys, second factors, other contacts and sessions. If you had chosen a password, choose one again.',
    sms: 'You signed in with a code. We removed what was set up in your account before, such as the password. Choose it again.',
  },
  new_device: {
    subject: 'New device added to your account',
    text: 'A new device was added to your account {username}.\n\nIf this wasn’t you, open this link. It signs out all your sessions and requires a new password:\n{####}',
    sms: 'A new device was added to your account.',
    action: ACTION,
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'The password of your account {username} was changed.\n\nIf this wasn’t you, open this link. It signs out all your sessions and requires a new password:\n{####}',
    sms: 'The password of your account was changed.',
    action: ACTION,
  },
  factor_changed: {
    subject: 'Your sign-in methods were changed',
    text: 'The sign-in methods of your account {username} were changed: {change}.\n\nIf this wasn’t you, open this link. It signs out all your sessions and requires a new password:\n{####}',
    sms: 'The sign-in methods of your account were changed.',
    action: ACTION,
  },
  codes_guessed: {
    subject: 'Someone is guessing your codes',
    text: 'Someone entered many wrong codes for your account {username} after a correct password or another first step. You may have to wait up to a day before you can sign in with a code.\n\nIf this wasn’t you, someone knows your password. Open this link. It signs out all your sessions and requires a new password:\n{####}',
    sms: "Someone entered many wrong codes for your account. If this wasn't you, change your password.",
    action: ACTION,
  },
  contact_changed: {
    subject: 'Your contact details were changed',
    text: 'The email address or phone number of your account {username} was changed. We sent this message to your previous address or number.\n\nIf this wasn’t you, open this link. It signs out all your sessions and requires a new password:\n{####}',
    sms: 'The email address or phone number of your account was changed.',
    action: ACTION,
  },
  deletion_scheduled: {
    subject: 'Your account will be deleted',
    text: 'Your account {username} is disabled and will be deleted on {change}. To keep it, sign in before then.\n\nIf this wasn’t you, open this link. It keeps your account, signs out all your sessions and requires a new password:\n{####}',
    sms: 'Your account is disabled and will be deleted on {change}. To keep it, sign in before then.',
    action: ACTION,
  },
};
