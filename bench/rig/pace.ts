import { createDiffieHellmanGroup, DiffieHellman, randomBytes } from 'node:crypto';

const SPAN_MS = 120;

const group = createDiffieHellmanGroup('modp15');
const exponent = randomBytes(32);
const base = randomBytes(383);

/**
 * How fast the measured core is at this moment: CPU milliseconds of one exponentiation in OpenSSL, over an eighth of a
 * second. On a shared host a core may be half as fast from one minute to the next.
 */
export function paceMs(): number {
  const before = process.cpuUsage();
  const end = performance.now() + SPAN_MS;
  let done = 0;
  for (; performance.now() < end; done++) {
    DiffieHellman.prototype.setPrivateKey.call(group, exponent);
    group.computeSecret(base);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / done;
}
