import { generateKeyPairSync, sign } from 'node:crypto';
import type { DriveName } from '../load/drives.ts';
import {
  createFastPoolgateProgram,
  fillPoolgate,
  fillWithDevices,
  fillWithTotp,
  poolgateProgram,
} from '../peers/poolgate.ts';
import type { Median, Scenario } from '../rig/scenario.ts';
import { createTimedContender } from '../rig/timed-contender.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS, type ServerOptions } from './login-server.ts';
import { prepareOneExponentiation, prepareThreeExponentiations } from './srp-server.ts';

const FAST_USERS = 100;

/** The minimum of every server: two signatures after this number of exponentiations. */
function createFloorContender(exponentiations: () => () => void): () => Promise<() => void> {
  return () => {
    const arithmetic = exponentiations();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const payload = Buffer.alloc(800, 'x');
    return Promise.resolve(() => {
      arithmetic();
      sign('sha256', payload, privateKey);
      sign('sha256', payload, privateKey);
    });
  };
}

function prepareTwoProofs(): () => void {
  const one = prepareThreeExponentiations();
  return () => {
    one();
    one();
  };
}

const FLOOR_PASSWORD = 'floor: 1 exponentiation, 2 RS256';
const FLOOR_DEVICE = 'floor: 6 exponentiations, 2 RS256';
const PASSWORD = 'Poolgate password, routes';
const TOTP = 'Poolgate password and TOTP, routes';
const DEVICE = 'Poolgate SRP and device, routes';

const createFastContender = (name: string, drive: DriveName, fill: ServerOptions['fill']) =>
  createServerContender({ name, drive, program: createFastPoolgateProgram, fill, users: FAST_USERS });

const createCpuGoal = (contender: string, other: string, atLeast: number) => ({
  text: `${contender} / ${other}, logins per CPU-second`,
  ratio: (median: Median) => median(contender, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

/** Logins with a second factor over HTTP, compared with their arithmetic and with the login without one. */
export const secondFactor: Scenario = {
  name: 'second-factor',
  title: `Logins with a second factor over HTTP, ${CLIENTS} clients, database on a file with full durability`,
  metrics: LOGIN_METRICS,
  contenders: [
    createTimedContender(FLOOR_PASSWORD, createFloorContender(prepareOneExponentiation)),
    createFastContender(PASSWORD, 'password-route', fillPoolgate),
    createFastContender(TOTP, 'totp-login', fillWithTotp),
    createTimedContender(FLOOR_DEVICE, createFloorContender(prepareTwoProofs)),
    createServerContender({
      name: DEVICE,
      drive: 'device-login',
      program: poolgateProgram,
      fill: fillWithDevices,
    }),
  ],
  goals: [
    createCpuGoal(TOTP, FLOOR_PASSWORD, 0.35),
    createCpuGoal(TOTP, PASSWORD, 0.5),
    createCpuGoal(DEVICE, FLOOR_DEVICE, 0.4),
  ],
};
