/** A login whose tokens will be signed. */
export interface ClaimsRequest {
  readonly userPoolId: string;
  readonly clientId: string;
  readonly sub: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** Claims to add to the tokens of a login. They never replace the pool's own. */
export interface AddedClaims {
  readonly access?: Readonly<Record<string, unknown>>;
  readonly id?: Readonly<Record<string, unknown>>;
}

/** Adds claims to tokens, at each login and refresh. */
export type AddClaimsHook = (question: ClaimsRequest) => AddedClaims | Promise<AddedClaims>;
