export { bigIntEngine, powModSteps } from './bigint-engine.ts';
export { concat, constantTimeEqual, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
export {
  type DeviceConfigRules,
  type DeviceKeys as DeviceNames,
  type DeviceSecretVerifierConfig,
  type DeviceVerifier,
  deviceIdentity,
  makeDeviceVerifier,
  parseDeviceConfig,
} from './device.ts';
export { bytesFromInteger, hexFromInteger, integerFromBytes, integerFromHex, padInteger } from './integer.ts';
export { parsePrivateValue, parsePublicValue, parseVerifier } from './parse-values.ts';
export { claimMessage, type PasswordClaim, signClaim, verifyClaim } from './password-claim.ts';
export { hashPassword as passwordHash, parsePasswordHash, type SrpIdentity } from './password-hash.ts';
export { drawPrivateValue, type RandomBytes, secureRandom } from './random.ts';
export { RFC5054_GROUPS } from './rfc5054-groups.ts';
export {
  type ClientFinishInput as ClientFinish,
  type ClientStart,
  finishClient,
  signPasswordClaim as passwordClaim,
  startClient,
  startClientWithPrivateValue as startClientFrom,
} from './srp-client.ts';
export {
  createSyncComputations as computeHere,
  type SrpComputations,
  type SyncSrpComputations as SrpComputationsHere,
} from './srp-computations.ts';
export type { EngineAndGroup as SrpSuite, SrpEngine } from './srp-engine.ts';
export { SrpError, type SrpErrorCode } from './srp-error.ts';
export { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';
export { answerSrpA, type ServerExchange } from './srp-server.ts';
export { formatTimestamp, parseIsoTimestamp, parseTimestamp } from './timestamp.ts';
export {
  computeVerifier as verifierFor,
  drawSalt,
  makeVerifier,
  matchesVerifier,
  type StoredVerifier,
} from './verifier.ts';
