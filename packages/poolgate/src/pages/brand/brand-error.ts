/** A brand file that cannot be used. The message names the line and what to change. */
export class BrandError extends Error {
  constructor(line: number, problem: string, cause?: unknown) {
    super(`line ${line}: ${problem}`, cause === undefined ? undefined : { cause });
    this.name = 'BrandError';
  }
}
