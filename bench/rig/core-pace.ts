import { createDiffieHellmanGroup, DiffieHellman, randomBytes } from 'node:crypto';

const SPAN_MS = 120;

const group = createDiffieHellmanGroup('modp15');
const exponent = randomBytes(32);
const base = randomBytes(383);

/**
 * How fast the measured core is at this moment: CPU milliseconds of one exponentiation in OpenSSL, over an eighth of a
 * second. On a shared host a core may be half as fast from one minute to the next.
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
 * Looks at the pace while something else is measured, some 2 % of the core's time. While this process computes itself it sees nothing.
 * @returns what ends it, and gives what it saw
 */
export function watchPace(): () => readonly number[] {
  const seen: number[] = [];
  const timer = setInterval(() => {
    // The first one brings back what it needs into the caches of the core.
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
