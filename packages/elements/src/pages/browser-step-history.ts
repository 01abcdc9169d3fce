import type { LoginStep, SessionClient, StepKind } from '@poolgate/client';
import type { StepHistory, StepHistoryHost } from '../elements/step-history.ts';
import type { SavedStepStorage } from './saved-step.ts';

/** The `history.state` of a step's history entry. */
interface EntryState {
  readonly poolgateStep?: number;
  readonly poolgateKind?: StepKind;
  readonly poolgateStay?: boolean;
}

/** Longer than any browser takes to go back within one document. */
const LONGEST_TRAVEL_MS = 1000;

const readEntry = (): EntryState => Object(history.state) as EntryState;

/**
 * One entry of the browser's history for each step of a sign-in. The steps themselves are kept in memory. After a reload, the service
 * reports the challenge that is still open in this browser. The tab shows it only if it showed that step for the same username before.
 */
export class BrowserStepHistory implements StepHistory {
  private readonly client: SessionClient;
  private readonly saved: SavedStepStorage;
  private readonly steps = new Map<number, LoginStep>();
  private index = readEntry().poolgateStep ?? 0;
  private host: StepHistoryHost | undefined;
  private isSignedIn = false;
  private onArrival: (() => void) | undefined;
  /** The entry of a step that was resumed and is not shown yet. */
  private resumedIndex: number | undefined;

  constructor(client: SessionClient, saved: SavedStepStorage) {
    this.client = client;
    this.saved = saved;
    addEventListener('popstate', () => this.onPopState());
  }

  enter(step: LoginStep, host: StepHistoryHost): void {
    this.host = host;
    if (this.wasLeft()) {
      this.onPopState();
      return;
    }
    const before = this.steps.get(this.index);
    if (this.steps.get(this.index - 1)?.kind === step.kind && before?.kind === 'recoveryCode') {
      this.steps.set(this.index - 1, step);
      history.back();
      return;
    }
    const isEnd = step.kind === 'refused' || step.kind === 'done';
    const isReplaced = before?.kind === step.kind || (isEnd && this.index > 0);
    if (isEnd) this.steps.clear();
    else if (before !== undefined && !isReplaced && !staysOpen(before, step)) this.steps.delete(this.index);
    if (!isReplaced) this.index += 1;
    for (const at of this.steps.keys()) if (at > this.index) this.steps.delete(at);
    this.steps.set(this.index, step);
    this.isSignedIn = step.kind === 'done';
    const state: EntryState = {
      ...readEntry(),
      poolgateStep: this.index,
      poolgateKind: step.kind,
      poolgateStay: host.staySignedIn,
    };
    if (isReplaced) history.replaceState(state, '');
    else history.pushState(state, '');
    this.save(step);
  }

  restart(): void {
    this.steps.clear();
    this.saved.save(undefined);
    if (this.index > 0) history.go(-this.index);
  }

  /** Goes back to the first entry, so that Back leads out of the sign-in once the page is left. */
  async finish(): Promise<void> {
    this.steps.clear();
    this.saved.save(undefined);
    if (this.index === 0) return;
    await new Promise<void>((resolve) => {
      this.onArrival = resolve;
      history.go(-this.index);
      setTimeout(resolve, LONGEST_TRAVEL_MS);
    });
  }

  /** Returns the step that this tab showed before a reload; undefined if it can no longer be answered. */
  async resume(): Promise<LoginStep | undefined> {
    const saved = this.saved.read();
    const step = saved && (await this.findOpenStep(saved.step, saved.username));
    if (step !== undefined) {
      this.steps.set(this.index, step);
      this.resumedIndex = this.index;
      return step;
    }
    this.restart();
    return undefined;
  }

  /** Whether the user went back before the resumed step was shown. */
  private wasLeft(): boolean {
    const { resumedIndex = this.index } = this;
    this.resumedIndex = undefined;
    return resumedIndex !== this.index;
  }

  private onPopState(): void {
    const { poolgateStep = 0, poolgateKind } = readEntry();
    this.index = poolgateStep;
    const { host, onArrival } = this;
    this.onArrival = undefined;
    if (onArrival !== undefined) onArrival();
    else if (this.isSignedIn) host?.finish();
    else if (poolgateStep === 0) this.showStart();
    else void this.showStep(poolgateStep, poolgateKind);
  }

  private showStart(): void {
    this.saved.save(undefined);
    this.host?.showStart();
  }

  /** An entry whose step was answered is passed over. */
  private async showStep(index: number, kind: StepKind | undefined): Promise<void> {
    const { host } = this;
    if (host === undefined) return;
    const step = this.steps.get(index) ?? (kind && (await this.findOpenStep(kind, host.username)));
    if (this.index !== index) return;
    if (step === undefined) {
      history.back();
      return;
    }
    this.steps.set(index, step);
    this.save(step);
    host.showStep(step);
  }

  private save(step: LoginStep): void {
    const username = step.username ?? this.host?.username ?? '';
    const canResume = step.kind !== 'refused' && step.kind !== 'done' && step.kind !== 'newPassword' && username !== '';
    this.saved.save(canResume ? { step: step.kind, username } : undefined);
  }

  private async findOpenStep(kind: StepKind, username: string): Promise<LoginStep | undefined> {
    try {
      const found = await this.client.unfinished();
      if (found?.resume == null || found.username !== username) return undefined;
      const step = await found.resume({ staySignedIn: readEntry().poolgateStay === true });
      return await toKind(step, kind);
    } catch {
      return undefined;
    }
  }
}

/** Whether a step can still be answered after the next one was shown. */
function staysOpen(before: LoginStep, next: LoginStep): boolean {
  return before.kind === 'selectFactor' || before.kind === 'password' || next.kind === 'recoveryCode';
}

/** Steps that the page reaches from a challenge without asking the service. */
async function toKind(step: LoginStep, kind: StepKind): Promise<LoginStep | undefined> {
  if (step.kind === kind) return step;
  if (kind === 'password' && step.kind === 'selectFactor') return step.choose('PASSWORD');
  if (kind !== 'recoveryCode' || (step.kind !== 'totp' && step.kind !== 'sentCode')) return undefined;
  return step.useRecoveryCode?.();
}
