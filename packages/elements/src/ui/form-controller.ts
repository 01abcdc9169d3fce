import { PoolgateError } from '@poolgate/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type FormError, type LocalizedText, toFormError } from './form-error.ts';

/** The typed values by field name. */
export type FormValues = Readonly<Record<string, string>>;

/** Returns what is wrong with a value; undefined if it is valid. */
export type FieldCheck = (value: string, all: FormValues) => LocalizedText | undefined;

/** The checks of a form by field name, in the order of the fields. */
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

const NO_ERROR: FormError = { alert: undefined, fields: new Map(), reference: undefined };

/** The state of a form in addition to its fields: busy, errors, and visible passwords. */
export class FormController implements ReactiveController {
  private readonly host: ReactiveControllerHost & HTMLElement;
  private fault: FormError = NO_ERROR;
  private visible: ReadonlySet<string> = new Set();
  private focusWanted = false;
  private isFirstEntry = true;
  /** The busy button. */
  private worker: string | undefined;
  private isCapsLock = false;
  /** A success message, shown until the next attempt. */
  notice: LocalizedText | undefined;
  /** A message for screen readers only. */
  spoken: LocalizedText | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.host = host;
    host.addController(this);
  }

  get busy(): boolean {
    return this.worker !== undefined;
  }

  /** Whether Caps Lock is on while a password is typed. */
  get hasCapsLock(): boolean {
    return this.isCapsLock;
  }

  setCapsLock(isOn: boolean): void {
    if (this.isCapsLock === isOn) return;
    this.isCapsLock = isOn;
    this.host.requestUpdate();
  }

  get alert(): LocalizedText | undefined {
    return this.fault.alert;
  }

  get reference(): string | undefined {
    return this.fault.reference;
  }

  isAtWork(button: string): boolean {
    return this.worker === button;
  }

  errorFor(field: string): LocalizedText | undefined {
    return this.fault.fields.get(field);
  }

  isVisible(field: string): boolean {
    return this.visible.has(field);
  }

  /** Shows or hides a password, and announces it. */
  toggle(field: string): void {
    const isShown = this.visible.has(field);
    this.visible = new Set(isShown ? [...this.visible].filter((each) => each !== field) : [...this.visible, field]);
    this.spoken = { id: isShown ? 'common.passwordHidden' : 'common.passwordShown' };
    this.host.requestUpdate();
  }

  /** Whether a code was entered completely for the first time. A wrong one is then corrected without haste. */
  takeFirstEntry(): boolean {
    const { isFirstEntry } = this;
    this.isFirstEntry = false;
    return isFirstEntry && !this.busy;
  }

  /** The next code is expected. */
  expectEntry(): void {
    this.isFirstEntry = true;
  }

  /** Removes all messages. */
  reset(): void {
    this.fault = NO_ERROR;
    this.visible = new Set();
    this.notice = undefined;
    this.spoken = undefined;
    this.host.requestUpdate();
  }

  /** Shows a success message. */
  notify(notice: LocalizedText): void {
    this.fault = NO_ERROR;
    this.notice = notice;
    this.host.requestUpdate();
  }

  /** Shows an error, and moves the focus to its first field. */
  refuse(error: PoolgateError): void {
    this.showFault(toFormError(error, (field) => this.fields().some(({ name }) => name === field)));
  }

  /** Shows an error at one field. */
  reject(field: string, text: LocalizedText): void {
    this.showFault({ ...NO_ERROR, fields: new Map([[field, text]]) });
  }

  /** Handles a form's submit event: validates it, then runs the action. */
  submit(event: Event, checks: FieldChecks, act: (values: FormValues) => Promise<void>): Promise<void> {
    event.preventDefault();
    const values = readFormValues(event.target as HTMLFormElement);
    const fields = new Map<string, LocalizedText>();
    for (const [name, check] of Object.entries(checks)) {
      const wrong = check(values[name] ?? '', values);
      if (wrong !== undefined) fields.set(name, wrong);
    }
    if (fields.size === 0) return this.run('submit', () => act(values));
    this.showFault({ ...NO_ERROR, fields });
    return Promise.resolve();
  }

  /** Runs one action at a time, and shows the service's error if it fails. */
  async run(button: string, act: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.reset();
    this.worker = button;
    this.spoken = { id: 'common.working' };
    try {
      await act();
    } catch (error) {
      if (!(error instanceof PoolgateError)) throw error;
      if (error.code !== 'aborted') this.refuse(error);
    } finally {
      this.worker = undefined;
      if (this.spoken?.id === 'common.working') this.spoken = undefined;
      this.host.requestUpdate();
    }
  }

  hostUpdated(): void {
    if (!this.focusWanted) return;
    this.focusWanted = false;
    const bad = this.fields().find(({ name }) => this.fault.fields.has(name));
    (bad ?? this.passwordField())?.focus();
  }

  private showFault(fault: FormError): void {
    this.fault = fault;
    this.notice = undefined;
    this.focusWanted = true;
    this.host.requestUpdate();
  }

  private fields(): readonly HTMLInputElement[] {
    return [...this.host.querySelectorAll('input')].filter(({ type, hidden }) => type !== 'hidden' && !hidden);
  }

  /** After a failed login, the user retypes the password. */
  private passwordField(): HTMLInputElement | undefined {
    return this.fields().findLast(({ dataset, readOnly }) => !readOnly && /password|code/.test(dataset.kind ?? ''));
  }
}

function readFormValues(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}
