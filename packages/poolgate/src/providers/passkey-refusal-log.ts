import { createRefusalLogLimit } from '@poolgate/gateway';
import { type Clock, PASSKEY_REFUSALS, type ReportPasskeyRefusal } from '@poolgate/pool';
import type { WriteLogLine } from '../process/log-line.ts';

/** Anyone can send invalid answers. Each network gets a few log lines, so that those of others stay visible. */
const BOUNDS = { windowMs: 60_000, most: 60, perNetwork: 10 } as const;

/** Logs why answers of authenticators are rejected. These are not warnings, because strangers can cause them at will. */
export function createPasskeyRefusalLog(log: WriteLogLine, clock: Clock): ReportPasskeyRefusal {
  const limit = createRefusalLogLimit(clock, BOUNDS);
  return ({ answer, code }, { requestId, sourceAddress }) => {
    if (!limit.mayRecord(sourceAddress)) return;
    log('info', `A passkey ${answer} was rejected. ${PASSKEY_REFUSALS[code]}`, { requestId, reason: code });
  };
}
