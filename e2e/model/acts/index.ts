import { refuseByTrigger, startCustom } from './custom.ts';
import { changeDevice, logOut, refresh, registerDevice } from './devices.ts';
import { deactivateMfa, drawRecoveryCodes, enrolTotp, preferFactor, setPassword, wait } from './factors.ts';
import { answer, burst, chooseFirstFactor, logIn, replay, startSrp } from './logins.ts';
import { guessFromElsewhere } from './strangers.ts';

/** All acts of a run. */
export const ACTS = {
  logIn,
  guessFromElsewhere,
  startSrp,
  chooseFirstFactor,
  startCustom,
  refuseByTrigger,
  answer,
  replay,
  burst,
  registerDevice,
  changeDevice,
  refresh,
  logOut,
  enrolTotp,
  preferFactor,
  deactivateMfa,
  drawRecoveryCodes,
  setPassword,
  wait,
} as const;

/** The name of an act. */
export type ActName = keyof typeof ACTS;

/** The arguments of an act. */
export type ArgsOf<Name extends ActName> = Parameters<(typeof ACTS)[Name]['perform']>[1];
