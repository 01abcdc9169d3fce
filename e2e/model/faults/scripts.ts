import type { ArgsOf } from '../acts/index.ts';
import type { Manner } from '../answers.ts';
import type { Scripted } from './plant.ts';

type LogIn = ArgsOf<'logIn'>;
type StartCustom = ArgsOf<'startCustom'>;

/** POST /login, by default of the first user with the right password. */
export const logIn = (args: Partial<LogIn> = {}): Scripted => [
  'logIn',
  { who: 0, isRight: true, device: 'none', at: 0, spelling: 0, ...args },
];

/** An answer to the latest challenge. */
export const answer = (manner: Manner, copies = 1): Scripted => ['answer', { at: 0, manner, entryPoint: 0, copies }];

export const wait = (seconds: number): Scripted => ['wait', { seconds }];

/** POST /login/srp of the first user. */
export const startSrp: Scripted = ['startSrp', { who: 0, device: 'none', at: 0 }];

/** A login of the first user whose order triggers decide. */
export const startCustom = (args: Partial<StartCustom> = {}): Scripted => [
  'startCustom',
  { who: 0, device: 'none', at: 0, beginsWithPassword: false, ...args },
];

/** From now on, a trigger refuses the first user. */
export const refuse = (trigger: ArgsOf<'refuseByTrigger'>['trigger']): Scripted => [
  'refuseByTrigger',
  { who: 0, trigger },
];

/** A login with a code instead of the password. */
export const choose = (name: 'EMAIL_OTP' | 'SMS_OTP', who = 0): Scripted => ['chooseFirstFactor', { who, name }];

/** Parallel wrong answers to the latest challenge. */
export const guess = (copies: number): Scripted => answer('wrong', copies);

/** This many wrong passwords, one after the other. */
export const wrongPasswords = (count: number): readonly Scripted[] =>
  Array.from({ length: count }, () => logIn({ isRight: false }));

/** This many wrong passwords of a stranger on another network. */
export const wrongPasswordsElsewhere = (count: number): readonly Scripted[] =>
  Array.from({ length: count }, () => ['guessFromElsewhere', { who: 0 }]);

/** Gives the first user an authenticator, whose current code is consumed. */
export const enrolled: readonly Scripted[] = [logIn(), ['enrolTotp', { at: 0, proof: 'right' }]];

/** Logs a user in on a device and registers it. */
export const registered = (isRemembered: boolean, who = 0): readonly Scripted[] => [
  logIn({ who }),
  ['registerDevice', { at: 3, isRemembered }],
];
