import type { LoginParameters, LoginStep, PoolgateError } from '@poolgate/client';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { cardOf } from '../steps/table.ts';
import type { Next, StepContext } from '../steps/view.ts';
import { required } from '../ui/checks.ts';
import { linkButton } from '../ui/fields.ts';
import type { Check, Checks, FormValues } from '../ui/form.ts';
import { card } from '../ui/frame.ts';
import { passwordCheck, rulesList } from '../ui/rules.ts';
import { PoolgateElement } from './element.ts';
import { pageLink } from './page-link.ts';
import { startCard } from './sign-in-start.ts';

/** After these the first form says what was wrong; nothing is lost that could be gone on with. */
const SAID_AT_THE_START: ReadonlySet<PoolgateError['code']> = new Set([
  'invalid_credentials',
  'too_many_requests',
  'network_error',
  'password_reset_required',
  'passkey_not_found',
  'user_not_confirmed',
  'feature_disabled',
]);

/** Signs a user in: every step of the login, whatever the pool asks for. */
export class PoolgateSignIn extends PoolgateElement {
  static override properties: PropertyDeclarations = {
    ...PoolgateElement.properties,
    username: {},
    step: { state: true },
    parameters: { state: true },
    password: { state: true },
  };

  /** What the first form begins with. */
  declare username: string;
  declare private step: LoginStep | undefined;
  declare private parameters: LoginParameters | undefined;
  declare private password: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private autofill: AbortController | undefined;
  private staySignedIn = false;

  constructor() {
    super();
    this.username = '';
    this.password = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.learn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.autofill?.abort();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('step')) this.tell('poolgate-step', { kind: this.step?.kind ?? 'start' });
  }

  protected override render(): TemplateResult {
    const { step } = this;
    return card(this.scene, this.layout, step === undefined ? this.start() : cardOf(step, this.context()));
  }

  private start() {
    return startCard({
      ...this.scene,
      username: this.username,
      parameters: this.parameters,
      hasSessions: this.service.mode === 'session',
      layout: this.layout,
      link: (to, label) =>
        pageLink(this.scene, { to, label, links: this.links, tell: (name, detail) => this.tell(name, detail) }),
      submit: (event) => this.begin(event),
      withPasskey: () => this.go('passkey', () => this.service.login.withPasskey({ staySignedIn: this.stays() })),
      withCode: () => this.sendCode(),
    });
  }

  private begin(event: Event): void {
    const checks: Checks = { username: required, password: required };
    void this.form.submit(event, checks, async ({ username = '', password = '', stay }) => {
      this.autofill?.abort();
      this.username = username.trim();
      this.staySignedIn = stay !== undefined;
      const login = { username: this.username, password, staySignedIn: this.staySignedIn };
      this.show(await this.service.login.withPassword(login));
    });
  }

  /** A code by mail asks for the name only. */
  private sendCode(): void {
    const { value = '' } = this.querySelector<HTMLInputElement>('input[name=username]') ?? {};
    this.username = value.trim();
    const wrong = required(this.username, {});
    if (wrong !== undefined) {
      this.form.reject('username', wrong);
      return;
    }
    const login = { username: this.username, factor: 'EMAIL_OTP', staySignedIn: this.stays() } as const;
    this.go('code', () => this.service.login.withFactor(login));
  }

  private stays(): boolean {
    this.staySignedIn = this.querySelector<HTMLInputElement>('input[name=stay]')?.checked ?? this.staySignedIn;
    return this.staySignedIn;
  }

  private go(button: string, next: Next): void {
    this.autofill?.abort();
    void this.form.run(button, async () => this.show(await next()));
  }

  /** Shows a step; one that is there again says why. */
  private show(step: LoginStep): void {
    if (step.kind === 'done' && step.rememberDevice === null) {
      this.finish(step.username);
      return;
    }
    const isFirst = this.step === undefined;
    if (step.kind === 'refused' && isFirst && SAID_AT_THE_START.has(step.error.code)) {
      this.form.refuse(step.error);
      return;
    }
    const isSame = this.step?.kind === step.kind;
    this.step = step;
    this.password = '';
    const error = 'error' in step ? step.error : null;
    if (error !== null) void this.updateComplete.then(() => this.form.refuse(error));
    else if (!isSame) this.focusNext();
  }

  private finish(username: string): void {
    if (this.step !== undefined && this.step.kind !== 'done') this.step = undefined;
    if (this.tell('poolgate-signed-in', { username })) location.assign(this.links.account);
  }

  private restart(): void {
    this.step = undefined;
    this.form.reset();
    this.focusNext();
  }

  private context(): StepContext {
    const { step } = this;
    const username = step?.kind === 'done' ? step.username : '';
    const policy = this.parameters?.password_policy;
    return {
      ...this.scene,
      now: () => Date.now(),
      redrawIn: (ms) => this.redrawIn(ms),
      go: (button, next) => this.go(button, next),
      answer: (event, fields, next) => this.answer(event, fields, next),
      restart: () => this.restart(),
      remember: (rememberDevice) =>
        void this.form.run('remember', () => rememberDevice().then(() => this.finish(username))),
      finish: () => this.finish(username),
      copy: (text) => void this.copy(text),
      identity: (name) => this.identity(name),
      passwordHint: {
        hint: rulesList(this.scene.speech, policy, this.password),
        onInput: (typed) => {
          this.password = typed;
        },
      },
      accountUrl: this.links.account,
    };
  }

  private answer(event: Event, fields: readonly string[], next: (values: FormValues) => Promise<LoginStep>): void {
    const newPassword: Check = passwordCheck(this.parameters?.password_policy);
    const checks = Object.fromEntries(fields.map((name) => [name, name === 'newPassword' ? newPassword : required]));
    void this.form.submit(event, checks, async (values) => this.show(await next(values)));
  }

  private identity(username: string | null): TemplateResult | typeof nothing {
    if (username === null) return nothing;
    return html`<div data-part="identity">
      <bdi>${username}</bdi>${linkButton(this.scene, 'signIn.notYou', 'not-you', () => this.restart())}
    </div>`;
  }

  private async copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text).catch(() => undefined);
    this.form.tell({ id: 'common.copied' });
  }

  private redrawIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.requestUpdate(), ms);
  }

  /** What the service has; the form works without. */
  private async learn(): Promise<void> {
    this.parameters = await this.service.parameters().catch(() => undefined);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'poolgate-sign-in': PoolgateSignIn;
  }
}
