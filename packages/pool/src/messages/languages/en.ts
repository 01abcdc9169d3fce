import type { Language } from './language.ts';

export const en: Language = {
  sign_up: {
    subject: 'Your verification code',
    text: 'Your verification code is {####}\n\nIf you did not sign up, ignore this message.',
    sms: 'Your verification code is {####}',
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
};
