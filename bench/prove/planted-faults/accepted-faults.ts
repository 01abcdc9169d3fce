/** A fault that no test of its package detects, and why none has to. */
interface Argument {
  readonly file: string;
  /** The changed line, as the table shows it. */
  readonly after: string;
  /** Equivalent, or the second check that detects it. */
  readonly why: string;
}

/** Faults that were reviewed and accepted. */
export const ACCEPTED_FAULTS: readonly Argument[] = [
  {
    file: 'packages/gateway/src/web/open-session.ts',
    after: 'const FAMILY_ID_BYTES = 19;',
    why: 'argued: nobody sees the id of a family of sessions, and 152 random bits are as good as 144',
  },
  {
    file: 'packages/pool/src/proofs/decoy-factors.ts',
    after: 'atFactorsAtSignUp(settings)]: 2 });',
    why: 'equivalent: shares are divided by their sum, and this is the only one',
  },
  {
    file: 'packages/pool/src/users/find-login-candidate.ts',
    after: ", Buffer.from(mac.subarray(2, 10)).toString('hex')),",
    why: 'argued: of the address that nobody has only the first letters are shown',
  },
  {
    file: 'packages/pool/src/recovery/password-reset-session.ts',
    after: 'const ID_BYTES = 17;',
    why: 'argued: nobody but the service reads the id, and 136 random bits are as good as 128',
  },
  {
    file: 'packages/srp/src/bigint-engine.ts',
    after: 'while (powers.length <= 16) powers.push(montgomery.product(powers.at(-1) as bigint, firs',
    why: 'equivalent: a digit is less than 16, so that nobody reads the seventeenth power',
  },
  {
    file: 'packages/srp/src/srp-computations.ts',
    after: '(exponent === x) ? power : engine.powMod(base, exponent, group);',
    why: 'equivalent: the other power of this computation has a random exponent, which is not x',
  },
  {
    file: 'packages/contract/src/check-schema.ts',
    after: 'if (false) return found;',
    why: 'equivalent: a pattern that is compiled once more is the same pattern, later',
  },
  {
    file: 'packages/contract/src/openapi-examples.ts',
    after: 'precedence: 11,',
    why: 'argued: another value is an example, too',
  },
  {
    file: 'packages/store/src/gateway/write-probe.ts',
    after: 'const TEXT_BYTES = 1501;',
    why: 'argued: any length will do of which SQLite keeps no two rows in a page and that PostgreSQL takes as a key',
  },
  {
    file: 'packages/elements/src/pages/show-page.ts',
    after: 'yieldToBrowser();',
    why: 'argued: the same is done in the same order, in one long task instead of several short ones',
  },
  {
    file: 'packages/elements/src/pages/show-page.ts',
    after: 'return; await (drawn as PoolgateElement).updateComplete;',
    why: 'equivalent: when the hydration has begun, it completes before the waiting code continues, and no update is pending',
  },
  {
    file: 'packages/poolgate/src/config/configuration.ts',
    after: "tart: DefaultInputs = { port: 1, dataDir: '', scheme: 'http', baseUrl: undefined };",
    why: 'equivalent: the default of the port is made from no other setting, so that this value is never read',
  },
  {
    file: 'packages/poolgate/src/node-version.ts',
    after: "const [major = 0, minor = 1] = version.split('.').map(Number);",
    why: 'equivalent: Node always tells both numbers',
  },
  {
    file: 'packages/poolgate/src/user-files/checkpoint.ts',
    after: 'folder?.sync().catch(() => {});',
    why: 'argued: only a loss of power shows whether the name of a file has reached the disk',
  },
];
