import { objectIn, optionalIn, type TriggerAnswer, textIn, textMapIn, textsIn } from './answers.ts';
import { unrecognizableAnswer } from './trigger-errors.ts';

/** What a function wants of the claims of one token. Nothing of it is looked at for names that it must not touch. */
export interface ClaimOverrides {
  readonly set: Readonly<Record<string, unknown>>;
  readonly suppress: readonly string[];
}

/** The groups that tokens name in place of the user's; what is undefined is named no more. */
export interface GroupOverrides {
  readonly names: readonly string[] | undefined;
  readonly roles: readonly string[] | undefined;
  readonly preferredRole: string | undefined;
}

/** What a function wants of the tokens of a login (PreTokenGeneration, any version). */
export interface TokenOverrides {
  readonly id: ClaimOverrides;
  readonly access: ClaimOverrides;
  readonly scopesToAdd: readonly string[];
  readonly scopesToSuppress: readonly string[];
  /** Undefined: as they are. */
  readonly groups: GroupOverrides | undefined;
}

/** The bytes of JSON that a function may put into one token: with them it still fits into a header. */
const MAX_CLAIM_BYTES = 8_192;

const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 256;
const NO_CLAIMS: ClaimOverrides = { set: {}, suppress: [] };
const NO_OVERRIDES: TokenOverrides = {
  id: NO_CLAIMS,
  access: NO_CLAIMS,
  scopesToAdd: [],
  scopesToSuppress: [],
  groups: undefined,
};

/** What version 1 says: of the ID token only, and texts only. */
export function readOverridesV1({ claimsOverrideDetails }: TriggerAnswer): TokenOverrides {
  const details = optionalIn(claimsOverrideDetails, objectIn);
  if (details === undefined) return NO_OVERRIDES;
  return { ...NO_OVERRIDES, id: claimsIn(details, textMapIn), groups: groupsIn(details.groupOverrideDetails) };
}

/** What versions 2 and 3 say: of both tokens, in any JSON. */
export function readOverridesV2({ claimsAndScopeOverrideDetails }: TriggerAnswer): TokenOverrides {
  const details = optionalIn(claimsAndScopeOverrideDetails, objectIn);
  if (details === undefined) return NO_OVERRIDES;
  const id = optionalIn(details.idTokenGeneration, objectIn) ?? {};
  const access = optionalIn(details.accessTokenGeneration, objectIn) ?? {};
  return {
    id: claimsIn(id, objectIn),
    access: claimsIn(access, objectIn),
    scopesToAdd: optionalIn(access.scopesToAdd, scopesIn) ?? [],
    scopesToSuppress: optionalIn(access.scopesToSuppress, namesIn) ?? [],
    groups: groupsIn(details.groupOverrideDetails),
  };
}

function claimsIn(details: TriggerAnswer, read: (given: unknown) => Readonly<Record<string, unknown>>): ClaimOverrides {
  const set = optionalIn(details.claimsToAddOrOverride, read) ?? {};
  if (Buffer.byteLength(JSON.stringify(set)) > MAX_CLAIM_BYTES) throw unrecognizableAnswer();
  namesIn(Object.keys(set));
  return { set, suppress: optionalIn(details.claimsToSuppress, namesIn) ?? [] };
}

/** Left out, the groups stay; null or empty, there are none (Cognito). */
function groupsIn(value: unknown): GroupOverrides | undefined {
  if (value === undefined) return undefined;
  const { groupsToOverride, iamRolesToOverride, preferredRole } = objectIn(value ?? {});
  return {
    names: optionalIn(groupsToOverride, namesIn),
    roles: optionalIn(iamRolesToOverride, namesIn),
    preferredRole: optionalIn(preferredRole, nameIn),
  };
}

function namesIn(value: unknown): readonly string[] {
  const names = textsIn(value);
  if (names.length > MAX_NAMES) throw unrecognizableAnswer();
  return names.map(nameIn);
}

function nameIn(value: unknown): string {
  const name = textIn(value);
  if (name === '' || name.length > MAX_NAME_LENGTH) throw unrecognizableAnswer();
  return name;
}

/** Scopes stand in a token with spaces between (RFC 6749 §3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function scopesIn(value: unknown): readonly string[] {
  const scopes = namesIn(value);
  if (!scopes.every((scope) => SCOPE.test(scope))) throw unrecognizableAnswer();
  return scopes;
}
