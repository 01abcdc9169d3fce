import { ProviderError } from '../provider-error.ts';

/** More failures than these are not looked for: the answer must not outgrow the request without bound. */
export const MAX_VIOLATIONS = 20;

/** Collects the constraints that a request violates, in the words that Cognito uses for them. */
export class ConstraintViolations {
  readonly #texts: string[] = [];
  readonly #path: string[] = [];
  #secretDepth = 0;

  /** Whether so many failures are known that looking for more is pointless. */
  get full(): boolean {
    return this.#texts.length >= MAX_VIOLATIONS;
  }

  /** Steps into a member, whose value and everything below it may be secret. Every `enter` has its `leave`. */
  enter(step: string, secret: boolean): void {
    this.#path.push(step);
    if (secret || this.#secretDepth > 0) this.#secretDepth += 1;
  }

  leave(): void {
    this.#path.pop();
    if (this.#secretDepth > 0) this.#secretDepth -= 1;
  }

  /** Where the walk stands, as Cognito writes it: `userAttributes.1.member.name`. */
  get path(): string {
    return this.#path.join('.');
  }

  /**
   * Notes that the value at this place violates a constraint.
   *
   * @param shown the value as Cognito writes it, or undefined to leave it out; of a secret it is always left out
   * @param constraint such as `Member must not be null`
   */
  add(shown: string | undefined, constraint: string): void {
    const value = shown === undefined || this.#secretDepth > 0 ? '' : ` ${shown}`;
    this.#texts.push(`Value${value} at '${this.path}' failed to satisfy constraint: ${constraint}`);
  }

  /** @throws {ProviderError} InvalidParameterException that lists all failures, where there are any */
  throwIfAny(): void {
    const count = this.#texts.length;
    if (count === 0) return;
    const heading = `${count} validation error${count === 1 ? '' : 's'} detected`;
    throw new ProviderError('InvalidParameterException', `${heading}: ${this.#texts.join('; ')}`);
  }
}
