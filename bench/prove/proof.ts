/** What a proof found. */
export interface ProofResult {
  /** One sentence with the numbers. */
  readonly figure: string;
  /** What contradicts the claim. */
  readonly faults: readonly string[];
}

/** A long proof. The test run does a twentieth of it through the same functions, where a fresh machine has what it needs. */
export interface Proof {
  readonly claim: string;
  /** What its flags are, where it has some. */
  readonly help?: string;
  /** @param words what the command line says after the name */
  run(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult>;
}
