/** What a check of `poolgate doctor` reports, and how connection problems are explained. */

/** The result: fine, could be improved, or does not work. */
export type CheckResult = 'ok' | 'warn' | 'fault';

/** The finding of a check. It contains no secret, and no text from another service. */
export interface Finding {
  readonly result: CheckResult;
  readonly finding: string;
  /** The suggested fix; absent if there is nothing to change. */
  readonly advice?: string;
}

/** A finding with the name of its check. */
export interface CheckRow extends Finding {
  readonly check: string;
}

/** Everything is fine. */
export function createOkFinding(finding: string): Finding {
  return { result: 'ok', finding };
}

/** It works, but the operator should know about it. */
export function createWarning(finding: string, advice: string): Finding {
  return { result: 'warn', finding, advice };
}

/** It does not work. */
export function createFault(finding: string, advice: string): Finding {
  return { result: 'fault', finding, advice };
}

/** The worst of some findings; `ok` if there are none. */
export function findWorstResult(findings: readonly Finding[]): CheckResult {
  const results = new Set(findings.map(({ result }) => result));
  return (['fault', 'warn'] as const).find((result) => results.has(result)) ?? 'ok';
}
