export { bigIntEngine, powModSteps } from './bigint-engine.ts';
export { concat, constantTimeEqual, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
/** @deprecated Use {@link DeviceKeys}. */
export type { DeviceKeys as DeviceNames } from './device.ts';
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
/** @deprecated Use {@link hashPassword}. */
export { hashPassword, hashPassword as passwordHash, parsePasswordHash, type SrpIdentity } from './password-hash.ts';
export { drawPrivateValue, type RandomBytes, secureRandom } from './random.ts';
export { RFC5054_GROUPS } from './rfc5054-groups.ts';
/** @deprecated Use {@link ClientFinishInput}. */
export type { ClientFinishInput as ClientFinish } from './srp-client.ts';
/** @deprecated Use {@link signPasswordClaim}. */
/** @deprecated Use {@link startClientWithPrivateValue}. */
export {
  type ClientFinishInput,
  type ClientStart,
  finishClient,
  signPasswordClaim,
  signPasswordClaim as passwordClaim,
  startClient,
  startClientWithPrivateValue,
  startClientWithPrivateValue as startClientFrom,
} from './srp-client.ts';
/** @deprecated Use {@link SyncSrpComputations}. */
export type { SyncSrpComputations as SrpComputationsHere } from './srp-computations.ts';
/** @deprecated Use {@link createSyncComputations}. */
export {
  createSyncComputations,
  createSyncComputations as computeHere,
  type SrpComputations,
  type SyncSrpComputations,
} from './srp-computations.ts';
/** @deprecated Use {@link EngineAndGroup}. */
export type { EngineAndGroup, EngineAndGroup as SrpSuite, SrpEngine } from './srp-engine.ts';
export { SrpError, type SrpErrorCode } from './srp-error.ts';
export { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';
export { answerSrpA, type ServerExchange } from './srp-server.ts';
export { formatTimestamp, parseIsoTimestamp, parseTimestamp } from './timestamp.ts';
/** @deprecated Use {@link computeVerifier}. */
export {
  computeVerifier,
  computeVerifier as verifierFor,
  drawSalt,
  makeVerifier,
  matchesVerifier,
  type StoredVerifier,
} from './verifier.ts';
