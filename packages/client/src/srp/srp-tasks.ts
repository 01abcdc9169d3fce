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

/** What a proof is made of. */
export interface SrpProofInput extends SrpStart {
  readonly identity: SrpIdentity;
  /** The user's, or the device's secret. */
  readonly password: string;
  readonly srpBHex: string;
  readonly saltHex: string;
  readonly secretBlockB64: string;
  readonly timestamp: string;
}

/** What the verifier of a new password is made of. */
export interface VerifierInput {
  readonly identity: SrpIdentity;
  readonly password: string;
  readonly saltHex: string;
}

/** A new device's secret, and what the service is to keep of it. */
export interface NewDeviceSecret {
  readonly devicePassword: string;
  readonly config: DeviceSecretVerifierConfig;
}

/** The names of SRP's computations, what each takes and what it gives. */
export interface SrpTasks {
  readonly start: { readonly input: null; readonly output: SrpStart };
  readonly prove: { readonly input: SrpProofInput; readonly output: string };
  readonly verifier: { readonly input: VerifierInput; readonly output: string };
  readonly device: { readonly input: DeviceKeys; readonly output: NewDeviceSecret };
}

/** One of {@link SrpTasks}. */
export type SrpTask = keyof SrpTasks;

/** Who computes. */
export interface SrpDependencies {
  readonly engine: SrpEngine;
  readonly random: RandomBytes;
}

/** Computes a task in one go. */
export type SrpTaskTable = {
  readonly [Task in SrpTask]: (
    dependencies: SrpDependencies,
    input: SrpTasks[Task]['input'],
  ) => SrpTasks[Task]['output'];
};

/** What a client computes: wherever it runs, these lines do it. */
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

/** The identity with which a device proves its secret. */
export { deviceIdentity };
