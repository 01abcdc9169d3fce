import { createDiffieHellmanGroup, DiffieHellman, randomBytes } from 'node:crypto';

const SPAN_MS = 120;

const group = createDiffieHellmanGroup('modp15');
const exponent = randomBytes(32);
const base = randomBytes(383);

/**
 * Measures the current speed of the measured core: CPU milliseconds of one exponentiation in OpenSSL, over an eighth of a second. On a
 * shared host a core may be half as fast from one minute to the next.
 */
export function measurePaceMs(): number {
  const before = process.cpuUsage();
  const end = performance.now() + SPAN_MS;
  let done = 0;
  for (; performance.now() < end; done++) exponentiate();
  return measureCpuMsSince(before) / done;
}

function exponentiate(): void {
  DiffieHellman.prototype.setPrivateKey.call(group, exponent);
  group.computeSecret(base);
}

function measureCpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const LOOK_EVERY_MS = 150;

/**
 * Samples the pace during a measurement, with about 2 % of the core's time. While this process itself computes, it sees nothing.
 * @returns ends it, and returns the samples
 */
export function watchPace(): () => readonly number[] {
  const seen: number[] = [];
  const timer = setInterval(() => {
    // The first one loads its data into the core's caches.
    exponentiate();
    const before = process.cpuUsage();
    exponentiate();
    seen.push(measureCpuMsSince(before));
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    return seen;
  };
}
