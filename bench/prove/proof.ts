/** The result of a proof. */
export interface ProofResult {
  /** One sentence with the numbers. */
  readonly figure: string;
  /** What contradicts the claim. */
  readonly faults: readonly string[];
}

/** A long proof. The test run does a twentieth of it through the same functions, if a fresh machine has the required programs. */
export interface Proof {
  readonly claim: string;
  /** A description of its flags, if it has some. */
  readonly help?: string;
  /** @param words the arguments of the command line after the name */
  run(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult>;
}
