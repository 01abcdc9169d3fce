export { bigIntEngine, powModSteps } from './bigint-engine.ts';
export { concat, constantTimeEqual, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
export type {
  /** @deprecated Use {@link DeviceKeys}. */
  DeviceKeys as DeviceNames,
} from './device.ts';
export {
  type DeviceConfigRules,
  type DeviceKeys,
  type DeviceSecretVerifierConfig,
  type DeviceVerifier,
  deviceIdentity,
  makeDeviceVerifier,
  parseDeviceConfig,
} from './device.ts';
export { bytesFromInteger, hexFromInteger, integerFromBytes, integerFromHex, padInteger } from './integer.ts';
export { parsePrivateValue, parsePublicValue, parseVerifier } from './parse-values.ts';
export { claimMessage, type PasswordClaim, signClaim, verifyClaim } from './password-claim.ts';
export {
  hashPassword,
  /** @deprecated Use {@link hashPassword}. */
  hashPassword as passwordHash,
  parsePasswordHash,
  type SrpIdentity,
} from './password-hash.ts';
export { drawPrivateValue, type RandomBytes, secureRandom } from './random.ts';
export { RFC5054_GROUPS } from './rfc5054-groups.ts';
export type {
  /** @deprecated Use {@link ClientFinishInput}. */
  ClientFinishInput as ClientFinish,
} from './srp-client.ts';
export {
  type ClientFinishInput,
  type ClientStart,
  finishClient,
  signPasswordClaim,
  /** @deprecated Use {@link signPasswordClaim}. */
  signPasswordClaim as passwordClaim,
  startClient,
  startClientWithPrivateValue,
  /** @deprecated Use {@link startClientWithPrivateValue}. */
  startClientWithPrivateValue as startClientFrom,
} from './srp-client.ts';
export type {
  /** @deprecated Use {@link SyncSrpComputations}. */
  SyncSrpComputations as SrpComputationsHere,
} from './srp-computations.ts';
export {
  createStepwiseComputations,
  createSyncComputations,
  /** @deprecated Use {@link createSyncComputations}. */
  createSyncComputations as computeHere,
  type SrpComputations,
  type StepwiseSrpComputations,
  type SyncSrpComputations,
} from './srp-computations.ts';
export type {
  EngineAndGroup,
  /** @deprecated Use {@link EngineAndGroup}. */
  EngineAndGroup as SrpSuite,
  SrpEngine,
} from './srp-engine.ts';
export { SrpError, type SrpErrorCode } from './srp-error.ts';
export { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';
export { answerSrpA, type ServerExchange } from './srp-server.ts';
export { inOneStep, runSteps, type Steps } from './steps.ts';
export { formatTimestamp, parseIsoTimestamp, parseTimestamp } from './timestamp.ts';
export {
  computeVerifier,
  /** @deprecated Use {@link computeVerifier}. */
  computeVerifier as verifierFor,
  drawSalt,
  makeVerifier,
  matchesVerifier,
  type StoredVerifier,
} from './verifier.ts';
