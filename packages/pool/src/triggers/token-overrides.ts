import {
  parseObject,
  parseOptional,
  parseText,
  parseTextList,
  parseTextMap,
  type RawTriggerResponse,
} from './parse-trigger-response.ts';
import { invalidTriggerResponseError } from './trigger-errors.ts';

/** A function's changes to the claims of one token, not yet checked for protected names. */
export interface ClaimOverrides {
  readonly set: Readonly<Record<string, unknown>>;
  readonly suppress: readonly string[];
}

/** The groups that tokens contain instead of the user's; undefined members are removed. */
export interface GroupOverrides {
  readonly names: readonly string[] | undefined;
  readonly roles: readonly string[] | undefined;
  readonly preferredRole: string | undefined;
}

/** A function's changes to the tokens of a login (PreTokenGeneration, any version). */
export interface TokenOverrides {
  readonly id: ClaimOverrides;
  readonly access: ClaimOverrides;
  readonly scopesToAdd: readonly string[];
  readonly scopesToSuppress: readonly string[];
  /** Undefined: unchanged. */
  readonly groups: GroupOverrides | undefined;
}

/** The maximum bytes of JSON that a function may add to one token, so that it still fits into a header. */
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

/** Version 1: only the ID token, and only strings. */
export function parseTokenOverridesV1({ claimsOverrideDetails }: RawTriggerResponse): TokenOverrides {
  const details = parseOptional(claimsOverrideDetails, parseObject);
  if (details === undefined) return NO_OVERRIDES;
  return {
    ...NO_OVERRIDES,
    id: parseClaimOverrides(details, parseTextMap),
    groups: parseGroupOverrides(details.groupOverrideDetails),
  };
}

/** Versions 2 and 3: both tokens, with any JSON. */
export function parseTokenOverridesV2({ claimsAndScopeOverrideDetails }: RawTriggerResponse): TokenOverrides {
  const details = parseOptional(claimsAndScopeOverrideDetails, parseObject);
  if (details === undefined) return NO_OVERRIDES;
  const id = parseOptional(details.idTokenGeneration, parseObject) ?? {};
  const access = parseOptional(details.accessTokenGeneration, parseObject) ?? {};
  return {
    id: parseClaimOverrides(id, parseObject),
    access: parseClaimOverrides(access, parseObject),
    scopesToAdd: parseOptional(access.scopesToAdd, parseScopes) ?? [],
    scopesToSuppress: parseOptional(access.scopesToSuppress, parseNames) ?? [],
    groups: parseGroupOverrides(details.groupOverrideDetails),
  };
}

function parseClaimOverrides(
  details: RawTriggerResponse,
  read: (given: unknown) => Readonly<Record<string, unknown>>,
): ClaimOverrides {
  const set = parseOptional(details.claimsToAddOrOverride, read) ?? {};
  if (Buffer.byteLength(JSON.stringify(set)) > MAX_CLAIM_BYTES) throw invalidTriggerResponseError();
  parseNames(Object.keys(set));
  return { set, suppress: parseOptional(details.claimsToSuppress, parseNames) ?? [] };
}

/** If omitted, the groups stay; if null or empty, they are removed (Cognito). */
function parseGroupOverrides(value: unknown): GroupOverrides | undefined {
  if (value === undefined) return undefined;
  const { groupsToOverride, iamRolesToOverride, preferredRole } = parseObject(value ?? {});
  return {
    names: parseOptional(groupsToOverride, parseNames),
    roles: parseOptional(iamRolesToOverride, parseNames),
    preferredRole: parseOptional(preferredRole, parseName),
  };
}

function parseNames(value: unknown): readonly string[] {
  const names = parseTextList(value);
  if (names.length > MAX_NAMES) throw invalidTriggerResponseError();
  return names.map(parseName);
}

function parseName(value: unknown): string {
  const name = parseText(value);
  if (name === '' || name.length > MAX_NAME_LENGTH) throw invalidTriggerResponseError();
  return name;
}

/** Scopes in a token are space-separated (RFC 6749 §3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function parseScopes(value: unknown): readonly string[] {
  const scopes = parseNames(value);
  if (!scopes.every((scope) => SCOPE.test(scope))) throw invalidTriggerResponseError();
  return scopes;
}
