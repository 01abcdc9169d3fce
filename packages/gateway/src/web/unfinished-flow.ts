import { Buffer } from 'node:buffer';
import type { ROUTES, Static } from '@poolgate/contract';
import type { GatewayDeps } from '../kernel/deps.ts';

/** A challenge as the routes answer it. */
export type ChallengeBody = Extract<
  Static<(typeof ROUTES)['loginAnswer']['responses'][200]['schema']>,
  { readonly status: 'challenge' }
>;

/** The authenticator that a login sets up. A reload shows the same one again, because the user may already have scanned it. */
export interface StartedAuthenticator {
  readonly secretCode: string;
  readonly totpUri: string;
  readonly session?: string;
}

interface FlowTimes {
  readonly startedAtMs: number;
  readonly endsAtMs: number;
  /** When the codes of the last hour were sent to this browser, the newest last. Absent without codes, and in cookies of 2.0.6. */
  readonly codesSentAtMs?: readonly number[];
}

/** A login that waits for an answer of its user. */
export interface UnfinishedLogin extends FlowTimes {
  readonly flow: 'login';
  readonly challenge: ChallengeBody;
  /** True if the login began with this challenge, so the user has not proven anything yet. */
  readonly isFirst: boolean;
  readonly authenticator?: StartedAuthenticator;
}

/** A sign-up or a password reset that waits for its code. */
export interface UnfinishedCode extends FlowTimes {
  readonly flow: 'sign_up' | 'reset';
  /** As it was typed. */
  readonly username: string;
}

/** The flow that a browser began last and has not finished. A cookie carries it, so the service stores nothing. */
export type UnfinishedFlow = UnfinishedLogin | UnfinishedCode;

const PURPOSE = 'web-unfinished';
/** Browsers drop a cookie of more than 4096 bytes with its name and attributes. */
const MAX_VALUE_LENGTH = 3_800;

type FlowDeps = Pick<GatewayDeps, 'keyRing' | 'clock' | 'userPoolId' | 'clientId'>;

/** Binds the cookie to its pool and app client, so that no other pool accepts it. */
const createAssociatedData = ({ userPoolId, clientId }: FlowDeps): string => `${userPoolId}/${clientId}`;

/** Returns the value of the cookie; undefined if it would be too long. In that case, a reload restarts the flow. */
export function encryptUnfinishedFlow(deps: FlowDeps, flow: UnfinishedFlow): string | undefined {
  const value = deps.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(flow), 'utf8'), createAssociatedData(deps));
  return value.length > MAX_VALUE_LENGTH ? undefined : value;
}

/** Returns the flow in the cookie; undefined if the service did not write the cookie, or if the flow has expired. */
export function decryptUnfinishedFlow(deps: FlowDeps, value: string | undefined): UnfinishedFlow | undefined {
  const bytes = value === undefined ? undefined : deps.keyRing.decrypt(PURPOSE, value, createAssociatedData(deps));
  if (bytes === undefined) return undefined;
  const flow = JSON.parse(Buffer.from(bytes).toString('utf8')) as UnfinishedFlow;
  return deps.clock.now() < flow.endsAtMs ? flow : undefined;
}

const HOUR_MS = 3_600_000;

/** When the codes of the last hour were sent. */
export const listRecentCodes = ({ codesSentAtMs = [] }: UnfinishedFlow, nowMs: number): readonly number[] =>
  codesSentAtMs.filter((atMs) => atMs > nowMs - HOUR_MS);
