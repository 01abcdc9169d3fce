import { generateKeyPairSync, sign } from 'node:crypto';
import type { DriveName } from '../load/drives.ts';
import {
  fastPoolgateProgram,
  fillPoolgate,
  fillWithDevices,
  fillWithTotp,
  poolgateProgram,
} from '../peers/poolgate.ts';
import type { Median, Scenario } from '../rig/scenario.ts';
import { createTimedContender } from '../rig/timed-contender.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS, type ServerOptions } from './login-server.ts';
import { oneExponentiation, threeExponentiations } from './srp-server.ts';

const FAST_USERS = 100;

/** Two signatures, and so many exponentiations before them: what no server can do without. */
function floor(exponentiations: () => () => void): () => Promise<() => void> {
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

function twoProofs(): () => void {
  const one = threeExponentiations();
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

const fast = (name: string, drive: DriveName, fill: ServerOptions['fill']) =>
  createServerContender({ name, drive, program: fastPoolgateProgram, fill, users: FAST_USERS });

const perCpu = (contender: string, other: string, atLeast: number) => ({
  text: `${contender} / ${other}, logins per CPU-second`,
  ratio: (median: Median) => median(contender, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

/** Logins with a second factor over HTTP, against the arithmetic below them and against the login without one. */
export const secondFactor: Scenario = {
  name: 'second-factor',
  title: `Logins with a second factor over HTTP, ${CLIENTS} clients, database on a file with full durability`,
  metrics: LOGIN_METRICS,
  contenders: [
    createTimedContender(FLOOR_PASSWORD, floor(oneExponentiation)),
    fast(PASSWORD, 'password-route', fillPoolgate),
    fast(TOTP, 'totp-login', fillWithTotp),
    createTimedContender(FLOOR_DEVICE, floor(twoProofs)),
    createServerContender({ name: DEVICE, drive: 'device-login', program: poolgateProgram, fill: fillWithDevices }),
  ],
  goals: [perCpu(TOTP, FLOOR_PASSWORD, 0.35), perCpu(TOTP, PASSWORD, 0.5), perCpu(DEVICE, FLOOR_DEVICE, 0.4)],
};
