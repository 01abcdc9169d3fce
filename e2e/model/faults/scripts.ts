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

/** A login of the first user whose order triggers decide on. */
export const startCustom = (args: Partial<StartCustom> = {}): Scripted => [
  'startCustom',
  { who: 0, device: 'none', at: 0, beginsWithPassword: false, ...args },
];

/** From now on a trigger refuses the first user. */
export const refuse = (trigger: ArgsOf<'refuseByTrigger'>['trigger']): Scripted => [
  'refuseByTrigger',
  { who: 0, trigger },
];

/** A login by a code in place of the password. */
export const choose = (name: 'EMAIL_OTP' | 'SMS_OTP', who = 0): Scripted => ['chooseFirstFactor', { who, name }];

/** Wrong answers to the latest challenge, all at once. */
export const guess = (copies: number): Scripted => answer('wrong', copies);

/** As many wrong passwords, one after the other. */
export const wrongPasswords = (count: number): readonly Scripted[] =>
  Array.from({ length: count }, () => logIn({ isRight: false }));

/** As many wrong passwords of a stranger on another network. */
export const wrongPasswordsElsewhere = (count: number): readonly Scripted[] =>
  Array.from({ length: count }, () => ['guessFromElsewhere', { who: 0 }]);

/** The first user has an authenticator, whose code of this moment is used up. */
export const enrolled: readonly Scripted[] = [logIn(), ['enrolTotp', { at: 0, proof: 'right' }]];

/** A user has logged in on a device and registered it. */
export const registered = (isRemembered: boolean, who = 0): readonly Scripted[] => [
  logIn({ who }),
  ['registerDevice', { at: 3, isRemembered }],
];
