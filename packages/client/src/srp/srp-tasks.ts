import {
  computeVerifier,
  type DeviceKeys,
  type DeviceSecretVerifierConfig,
  deviceIdentity,
  hashPassword,
  makeDeviceVerifier,
  type RandomBytes,
  type SrpEngine,
  type SrpIdentity,
  signPasswordClaim,
  startClient,
  toHex,
} from '@poolgate/srp';

/** The client's first step. `aHex` is secret and stays in this page. */
export interface SrpStart {
  readonly aHex: string;
  readonly srpAHex: string;
}

/** The input of a proof. */
export interface SrpProofInput extends SrpStart {
  readonly identity: SrpIdentity;
  /** The user's password, or the device's secret. */
  readonly password: string;
  readonly srpBHex: string;
  readonly saltHex: string;
  readonly secretBlockB64: string;
  readonly timestamp: string;
}

/** The input of a new password's verifier. */
export interface VerifierInput {
  readonly identity: SrpIdentity;
  readonly password: string;
  readonly saltHex: string;
}

/** A new device's secret, and the verifier for the service. */
export interface NewDeviceSecret {
  readonly devicePassword: string;
  readonly config: DeviceSecretVerifierConfig;
}

/** The SRP tasks by name, with their inputs and outputs. */
export interface SrpTasks {
  readonly start: { readonly input: null; readonly output: SrpStart };
  readonly prove: { readonly input: SrpProofInput; readonly output: string };
  readonly verifier: { readonly input: VerifierInput; readonly output: string };
  readonly device: { readonly input: DeviceKeys; readonly output: NewDeviceSecret };
}

/** One of {@link SrpTasks}. */
export type SrpTask = keyof SrpTasks;

/** The dependencies of SRP tasks. */
export interface SrpDependencies {
  readonly engine: SrpEngine;
  readonly random: RandomBytes;
}

/** Computes a task in a single run. */
export type SrpTaskTable = {
  readonly [Task in SrpTask]: (
    dependencies: SrpDependencies,
    input: SrpTasks[Task]['input'],
  ) => SrpTasks[Task]['output'];
};

/** The client's computations, wherever they run. */
export const SRP_TASKS: SrpTaskTable = {
  start: (dependencies) => startClient(dependencies),
  prove({ engine }, input) {
    return signPasswordClaim({ engine, ...input, passwordHash: hashPassword(engine, input.identity, input.password) });
  },
  verifier({ engine }, { identity, password, saltHex }) {
    return toHex(computeVerifier({ engine, saltHex, passwordHash: hashPassword(engine, identity, password) }));
  },
  device: (dependencies, device) => makeDeviceVerifier({ ...dependencies, device }),
};

/** The SRP identity of a device. */
export { deviceIdentity };
