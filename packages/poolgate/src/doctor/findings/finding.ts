/**
 * What a check of `poolgate doctor` reports, and how connection problems are explained.
 */

/** How something stands: fine, could be better, or does not work. */
export type CheckResult = 'ok' | 'warn' | 'fault';

/** What a check found. It holds no secret, and nothing that another service said in words. */
export interface Finding {
  readonly result: CheckResult;
  readonly finding: string;
  /** What to change; absent where there is nothing to change. */
  readonly advice?: string;
}

/** A finding under the name of its check. */
export interface CheckRow extends Finding {
  readonly check: string;
}

/** All is well. */
export function createOkFinding(finding: string): Finding {
  return { result: 'ok', finding };
}

/** It works, and somebody should know. */
export function createWarning(finding: string, advice: string): Finding {
  return { result: 'warn', finding, advice };
}

/** It does not work. */
export function createFault(finding: string, advice: string): Finding {
  return { result: 'fault', finding, advice };
}

/** The worst of some findings; `ok` where there is none. */
export function findWorstResult(findings: readonly Finding[]): CheckResult {
  const results = new Set(findings.map(({ result }) => result));
  return (['fault', 'warn'] as const).find((result) => results.has(result)) ?? 'ok';
}
