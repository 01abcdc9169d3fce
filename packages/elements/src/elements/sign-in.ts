import type { Login, LoginStep, PoolgateError, SentCodeStep, StepOf, UserLoginOptions } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { NextStep, StepContext } from '../steps/step-view.ts';
import { createStepCard } from '../steps/step-view-table.ts';
import type { MessageId } from '../translations/languages.ts';
import { type Card, renderCard } from '../ui/card.ts';
import { checkRequired } from '../ui/field-checks.ts';
import { renderLinkButton } from '../ui/fields.ts';
import type { FieldChecks, FormValues } from '../ui/form-controller.ts';
import { yieldToBrowser } from '../ui/yield-to-browser.ts';
import { PoolgateFormElement } from './form-element.ts';
import type { LastQuestion } from './last-question.ts';
import {
  createLockedCard,
  findPasswordLock,
  type LockedCardOptions,
  type PasswordLock,
} from './locked-password-card.ts';
import type { ProviderError, renderProviderButtons, SignInProvider } from './provider-buttons.ts';
import { getPageFlow, type SignInFlow, STARTS_WITH_PASSWORD } from './sign-in-flow.ts';
import { createStartCard } from './sign-in-start-card.ts';
import { StepKeeper, takeResumedStep } from './step-history.ts';

/** After these errors the first form shows the reason, because the login cannot be continued anyway. */
const START_FORM_ERRORS: ReadonlySet<PoolgateError['code']> = new Set([
  'invalid_credentials',
  'too_many_requests',
  'network_error',
  'passkey_not_found',
  'feature_disabled',
]);

/** Errors after which another element takes over. */
const FOLLOW_UPS: ReadonlySet<PoolgateError['code']> = new Set(['user_not_confirmed', 'password_reset_required']);

/** With every provider, a code stays valid for at least this long after the user can request another one. */
const SHORTEST_REST_MS = 150_000;

/** The steps that ask for a code sent through each channel. */
const CODE_FACTORS: Readonly<Record<SentCodeStep['channel'], readonly string[]>> = {
  email: ['EMAIL_OTP', 'second factor'],
  sms: ['SMS_OTP', 'second factor'],
};

const SECOND_FACTOR_STEPS: ReadonlySet<string> = new Set(['totp', 'selectMfa', 'recoveryCode', 'setUpAuthenticator']);

/** Returns the error that the first form shows itself, because it has the field for another attempt. */
function findStartFormError(step: LoginStep): PoolgateError | null {
  if (step.kind === 'password') return step.error;
  return step.kind === 'refused' && START_FORM_ERRORS.has(step.error.code) ? step.error : null;
}

/** Loaded while the service answers. If loading fails, the sign-in skips the questions. */
const loadLastQuestions = () => import('./last-question.ts').catch(() => undefined);

/** The flows that ask only for the username, and how each one starts. */
const FLOW_STARTS: Readonly<
  Record<SignInFlow, ((login: Login, named: UserLoginOptions) => Promise<LoginStep>) | undefined>
> = {
  password: undefined,
  'custom-password': undefined,
  choice: (login, named) => login.choose(named),
  custom: (login, named) => login.withTriggers(named),
};

/** Signs in a user: every step of the login, whatever the pool requires. */
export class PoolgateSignIn extends PoolgateFormElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateFormElement.properties,
    username: {},
    purpose: {},
    acrValues: { attribute: 'acr-values' },
    maxAge: { attribute: 'max-age', type: Number },
    flow: {},
    notice: { attribute: false },
    begun: { attribute: false },
    providers: { attribute: false },
    providerError: { attribute: false },
    step: { state: true },
    question: { state: true },
    locked: { state: true },
  };

  /** The username in the first form. */
  declare username: string;
  /** `step-up`: only the signed-in user can sign in again. */
  declare purpose: 'sign-in' | 'step-up';
  /** With `step-up`: the authentication levels to reach, best one first. The element asks only for what is missing. */
  declare acrValues: string | undefined;
  /** With `acr-values`: after this number of seconds, the earlier sign-in no longer counts. */
  declare maxAge: number | undefined;
  /** How a sign-in starts: password, choice, or either with triggers. Default: see {@link useSignInFlow}. */
  declare flow: SignInFlow;
  /** The message above the first form. */
  declare notice: MessageId | undefined;
  /** The current step of a login that began elsewhere, for example with the code of a sign-up. */
  declare begun: LoginStep | undefined;
  /** The identity providers that the first form offers. */
  declare providers: readonly SignInProvider[] | undefined;
  /** The result of a sign-in at one of them: the user declined, or it failed. */
  declare providerError: ProviderError | undefined;
  /** The last question, once the user is signed in. */
  declare private question: LastQuestion | undefined;
  declare private step: LoginStep | undefined;
  /** Set while the password is locked, when the other ways to sign in are offered. */
  declare private locked: PasswordLock | undefined;
  /** Loaded with the first providers. */
  private renderProviders: typeof renderProviderButtons | undefined;
  private loadingProviders: Promise<void> | undefined;
  private autofill: AbortController | undefined;
  private staySignedIn = false;
  private usedPassword = false;
  private usedSecondFactor = false;
  /** The code that was sent last. */
  private openCode: SentCodeStep | undefined;
  private readonly kept = new StepKeeper(this.createHistoryHost());

  constructor() {
    super();
    this.username = '';
    this.purpose = 'sign-in';
    this.flow = getPageFlow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.autofill?.abort();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (this.providers?.length) this.loadingProviders ??= this.loadProviders();
    if (!this.hasUpdated && this.purpose === 'sign-in') this.resume(this.begun ?? takeResumedStep());
  }

  private async loadProviders(): Promise<void> {
    try {
      this.renderProviders = (await import('./provider-buttons.ts')).renderProviderButtons;
      this.requestUpdate();
    } catch {
      // The other ways to sign in work without the buttons. The next update tries again.
      this.loadingProviders = undefined;
    }
  }

  /** Begins with the step that the page showed before a reload, or with the step that another element passed on. */
  private resume(step: LoginStep | undefined): void {
    if (step === undefined) return;
    this.usedPassword = this.begun !== undefined;
    this.step = step;
    if (step.kind === 'done') return;
    this.note(step);
    this.username = step.username ?? '';
    this.openCode = step.kind === 'sentCode' ? step : undefined;
    if (this.isKept) this.kept.enter(step);
  }

  protected override firstUpdated(): void {
    if (this.begun?.kind === 'done') void this.conclude(this.begun);
    if (this.notice !== undefined) this.form.notify({ id: this.notice });
    // Prepared values expire, and the user may return to the form later.
    this.addEventListener('focusin', () => this.prepare());
    void this.prepareSoon();
  }

  /** Prepares what does not depend on the user, once the form is rendered. */
  private async prepareSoon(): Promise<void> {
    await yieldToBrowser();
    this.prepare();
    await yieldToBrowser();
    // A user who has already pressed a button must not see autofill as well.
    if (this.isConnected && this.step === undefined && !this.form.busy) void this.offerPasskeys();
  }

  private prepare(): void {
    if (this.isConnected && this.step === undefined) void this.service.login.prepare();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('step')) this.emit('poolgate-step', { kind: this.step?.kind ?? 'start' });
  }

  protected override render(): TemplateResult {
    const { step } = this;
    if (step?.kind === 'refused') {
      if (FOLLOW_UPS.has(step.error.code)) void import('./define-follow-ups.ts');
      if (step.error.code === 'user_not_confirmed') return this.confirmation(step.username ?? '');
      if (step.error.code === 'password_reset_required')
        return html`<poolgate-forgot-password .username=${step.username ?? ''}></poolgate-forgot-password>`;
    }
    return renderCard(this.context, this.layout, this.currentCard());
  }

  private currentCard(): Card {
    const { step, locked, question } = this;
    if (question !== undefined && step?.kind === 'done')
      return question.createCard(this.context, () => this.finish(step));
    if (locked !== undefined) return createLockedCard(locked, this.lockedContext(locked));
    return step === undefined ? this.start() : createStepCard(step, this.stepContext());
  }

  private lockedContext({ username }: PasswordLock): LockedCardOptions {
    const named = { username: username ?? this.username, staySignedIn: this.staySignedIn };
    const { login } = this.service;
    return {
      ...this.stepContext(),
      canUsePasskeys: 'PublicKeyCredential' in globalThis,
      resetLink: this.link('forgotPassword', 'signIn.forgot'),
      choose: (factor) => (factor === 'WEB_AUTHN' ? login.withPasskey(named) : login.withFactor({ ...named, factor })),
    };
  }

  private start(): Card {
    return createStartCard({
      ...this.context,
      username: this.username,
      isStepUp: this.purpose === 'step-up',
      hasPassword: STARTS_WITH_PASSWORD[this.flow] && !this.isForLevel,
      canUsePasskeys: 'PublicKeyCredential' in globalThis,
      parameters: this.isForLevel ? undefined : this.parameters,
      hasSessions: this.service.mode === 'session',
      layout: this.layout,
      providers: this.offeredProviders(),
      link: (to, label) => this.link(to, label),
      submit: (event) => this.begin(event),
      withPasskey: () => this.usePasskey(),
      withCode: () => this.sendCode(),
    });
  }

  private offeredProviders(): TemplateResult | typeof nothing {
    const { providers = [], providerError: error, context, renderProviders } = this;
    if (providers.length === 0 || renderProviders === undefined || this.purpose === 'step-up') return nothing;
    return renderProviders({ providers, error, language: context.translation.language });
  }

  /** For an unconfirmed account, asks for its code here, and then starts the sign-in again. */
  private confirmation(username: string): TemplateResult {
    const goOn = (event: HTMLElementEventMap['poolgate-verified']): void => {
      event.preventDefault();
      const { next } = event.detail;
      if (next !== null) {
        void this.show(next);
        return;
      }
      this.restart();
      this.form.notify({ id: 'verify.done' });
    };
    return html`<poolgate-verify .username=${username} .asks=${true} @poolgate-verified=${goOn}></poolgate-verify>`;
  }

  /** Whether the signed-in user must reach a level. */
  private get isForLevel(): boolean {
    return this.purpose === 'step-up' && this.acrValues !== undefined;
  }

  private beginLevel(event: Event): void {
    const { acrValues = '', maxAge } = this;
    const level = { acrValues, ...(maxAge !== undefined && { maxAgeSeconds: maxAge }) };
    void this.form.submit(event, {}, async () => this.show(await this.service.reauthenticate.forLevel(level)));
  }

  private begin(event: Event): void {
    if (this.isForLevel) {
      this.beginLevel(event);
      return;
    }
    const beginning = FLOW_STARTS[this.flow];
    const checks: FieldChecks =
      beginning === undefined ? { username: checkRequired, password: checkRequired } : { username: checkRequired };
    void this.form.submit(event, checks, async ({ username = '', password = '' }) => {
      this.prepareNext();
      this.usedPassword = STARTS_WITH_PASSWORD[this.flow];
      this.username = username.trim();
      const { login } = this.service;
      const named = { username: this.username, staySignedIn: this.readStaySignedIn() };
      const withPassword = this.flow === 'custom-password' ? login.withTriggers : login.withPassword;
      const openCode = this.findOpenCode('second factor');
      await this.show(openCode ?? (await (beginning?.(login, named) ?? withPassword({ ...named, password }))));
    });
  }

  /** An emailed code needs only the username. */
  private sendCode(): void {
    if (!this.readName()) return;
    this.usedPassword = false;
    const login = { username: this.username, factor: 'EMAIL_OTP', staySignedIn: this.readStaySignedIn() } as const;
    this.go('code', () => this.findOpenCode('EMAIL_OTP') ?? this.service.login.withFactor(login));
  }

  /** The passkey's user is known only if a user is signed in. An Amazon pool always needs the username. */
  private usePasskey(): void {
    const needsName = this.parameters?.capabilities.includes('start_discoverable_login') === false;
    if (needsName && !this.readName()) return;
    this.usedPassword = false;
    const named = needsName || this.purpose === 'step-up' ? { username: this.username } : {};
    this.go('passkey', () => this.service.login.withPasskey({ staySignedIn: this.readStaySignedIn(), ...named }));
  }

  /** Reads the username from the form; false, with an error message, if it is empty. */
  private readName(): boolean {
    const { value = this.username } = this.querySelector<HTMLInputElement>('input[name=username]') ?? {};
    this.username = value.trim();
    const wrong = checkRequired(this.username, {});
    if (wrong !== undefined) this.form.reject('username', wrong);
    return wrong === undefined;
  }

  private readStaySignedIn(): boolean {
    this.staySignedIn = this.querySelector<HTMLInputElement>('input[name=stay]')?.checked ?? this.staySignedIn;
    return this.staySignedIn;
  }

  /** Offers passkeys in the autofill of the first form, until one is chosen or the login continues otherwise. */
  private async offerPasskeys(): Promise<void> {
    this.autofill?.abort();
    this.autofill = new AbortController();
    const { signal } = this.autofill;
    if (this.purpose === 'step-up') return;
    const step = await this.service.login.autofill({ signal }).catch(() => null);
    if (step !== null && !signal.aborted) await this.show(step);
  }

  private go(button: string, next: NextStep): void {
    void this.form.run(button, async () => {
      this.prepareNext();
      const step = this.findOpenCode(button) ?? (await next());
      await this.show(step);
      if (button === 'resend' && step.kind === 'sentCode' && step.error === null)
        this.form.notify({ id: step.codesLeft === 0 ? 'code.resentLast' : 'code.resent' });
    });
  }

  /** Loads what the next steps need while the service answers. */
  private prepareNext(): void {
    if (this.isKept) this.kept.prepare();
    if (this.purpose === 'sign-in') void loadLastQuestions();
  }

  /** A code that was sent to this user and can still be entered. The form asks for it again instead of sending another one. */
  private findOpenCode(wanted: string): SentCodeStep | undefined {
    const { openCode, username } = this;
    if (openCode?.username !== username || !CODE_FACTORS[openCode.channel].includes(wanted)) return undefined;
    if (openCode.isSecondFactor !== (wanted === 'second factor')) return undefined;
    const endsAtMs = openCode.expiresAtMs ?? openCode.resendAtMs + SHORTEST_REST_MS;
    return endsAtMs > Date.now() ? openCode : undefined;
  }

  /** Shows a step, with the reason if it is repeated. */
  private async show(step: LoginStep): Promise<void> {
    const { step: before } = this;
    if (step.kind === 'done') {
      await this.conclude(step);
      return;
    }
    const locked = findPasswordLock(step);
    if (locked !== undefined) {
      this.showLocked(locked);
      return;
    }
    const refusal = before === undefined ? findStartFormError(step) : null;
    if (refusal !== null) {
      this.form.refuse(refusal);
      if (this.autofill === undefined) void this.offerPasskeys();
      return;
    }
    this.note(step);
    this.enter(step);
    this.openCode = step.kind === 'sentCode' ? step : undefined;
    const error = 'error' in step ? step.error : null;
    // If a trigger repeats its question or asks another one, the previous answer is cleared from the field.
    const isAskedMore = step.kind === 'custom' && before?.kind === 'custom' && error === null;
    if (isAskedMore) this.querySelector('form')?.reset();
    if (isAskedMore || before?.kind !== step.kind) this.focusNext();
    if (error !== null) void this.updateComplete.then(() => this.form.refuse(error));
  }

  private note(step: LoginStep): void {
    this.usedPassword ||= step.kind === 'password';
    this.usedSecondFactor ||= SECOND_FACTOR_STEPS.has(step.kind) || (step.kind === 'sentCode' && step.isSecondFactor);
  }

  private enter(step: LoginStep): void {
    this.autofill?.abort();
    if (this.step?.kind !== step.kind) this.form.expectEntry();
    this.step = step;
    this.locked = undefined;
    this.typedPassword = '';
    if (this.isKept) this.kept.enter(step);
  }

  /** The user is signed in. One optional question may remain. */
  private async conclude(step: StepOf<'done'>): Promise<void> {
    const { usedPassword, usedSecondFactor, service, parameters } = this;
    const questions = this.purpose === 'sign-in' ? await loadLastQuestions() : undefined;
    const login = { step, usedPassword, usedSecondFactor, service, parameters };
    this.question = await questions?.findLastQuestion(login);
    if (this.question === undefined) {
      this.finish(step);
      return;
    }
    this.enter(step);
    this.focusNext();
  }

  private showLocked(locked: PasswordLock): void {
    this.autofill?.abort();
    this.step = undefined;
    this.locked = locked;
    this.typedPassword = '';
    this.focusNext();
  }

  private finish({ username, user }: StepOf<'done'>): void {
    this.autofill?.abort();
    this.kept.finish(() => {
      if (this.emit('poolgate-signed-in', { username, user })) location.assign(this.links.account);
    });
  }

  /** Steps of a step-up are not kept: its page has another history. */
  private get isKept(): boolean {
    return this.purpose === 'sign-in' && this.service.mode === 'session';
  }

  private createHistoryHost(): ConstructorParameters<typeof StepKeeper>[0] {
    const element = this;
    return {
      get username() {
        return element.username;
      },
      get staySignedIn() {
        return element.staySignedIn;
      },
      showStep: (step) => {
        this.step = step;
        this.locked = undefined;
        this.form.reset();
        this.focusNext();
      },
      showStart: () => {
        if (this.step !== undefined) this.showStart();
      },
      finish: () => {
        if (this.step?.kind === 'done') this.finish(this.step);
      },
    };
  }

  private restart(): void {
    this.openCode = undefined;
    this.kept.restart();
    this.showStart();
  }

  /** Shows the other ways to sign in. A code that was sent stays open. */
  private showOtherWays(): void {
    this.kept.restart();
    this.showStart();
  }

  private showStart(): void {
    this.step = undefined;
    this.question = undefined;
    this.locked = undefined;
    this.usedSecondFactor = false;
    this.form.reset();
    this.focusNext();
    void this.offerPasskeys();
  }

  private stepContext(): StepContext {
    return {
      ...this.context,
      go: (button, next) => this.go(button, next),
      answer: (event, fields, next) => this.answer(event, fields, next),
      restart: () => this.restart(),
      otherWays: this.purpose === 'sign-in' ? () => this.showOtherWays() : undefined,
      copy: (text) => void navigator.clipboard.writeText(text).then(() => this.form.notify({ id: 'common.copied' })),
      identity: (name) => this.identity(name),
      passwordHint: this.passwordHint,
      accountUrl: this.links.account,
    };
  }

  private answer(event: Event, fields: readonly string[], next: (values: FormValues) => Promise<LoginStep>): void {
    const checks = fields.map((name) => [name, name === 'newPassword' ? this.passwordCheck : checkRequired] as const);
    void this.form.submit(event, Object.fromEntries(checks), async (values) => this.show(await next(values)));
  }

  private identity(username: string | null): TemplateResult | typeof nothing {
    if (username === null) return nothing;
    const other =
      this.purpose === 'step-up'
        ? nothing
        : renderLinkButton(this.context, 'signIn.notYou', 'not-you', () => this.restart());
    return html`<div data-part="identity"><bdi>${username}</bdi>${other}</div>`;
  }
}
