import { APACHE, createAuthlibApplication } from './clients/guide-applications.ts';
import { runApplication } from './clients/stage.ts';
import type { ProofResult } from './proof.ts';

/** The applications of the guide that run with Debian's packages. */
const APPLICATIONS = { apache: APACHE, authlib: createAuthlibApplication('/usr/bin/python3') } as const;

/** Runs the applications of the guide with Debian's packages, and tests login, userInfo, refresh and logout. */
export async function proveDebianClients(tell: (line: string) => void): Promise<ProofResult> {
  const faults: string[] = [];
  const counts: string[] = [];
  for (const [name, application] of Object.entries(APPLICATIONS)) {
    tell(name);
    const found = await runApplication(application);
    counts.push(`${name}: ${found.checks} checks`);
    faults.push(...found.faults.map((fault) => `${name}: ${fault}`));
  }
  return { figure: `${counts.join(', ')}; faults: ${faults.length}.`, faults };
}
