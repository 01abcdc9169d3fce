/**
 * How a sign-in begins: `password` with name and password, `choice` with the name and then the ways in that the pool has, `custom` with the
 * name and then what the triggers of the pool ask, `custom-password` with both, and then the triggers.
 */
export type SignInFlow = 'password' | 'choice' | 'custom' | 'custom-password';

/** Whether the first form of a sign-in asks for the password, too. */
export const STARTS_WITH_PASSWORD: Readonly<Record<SignInFlow, boolean>> = {
  password: true,
  'custom-password': true,
  choice: false,
  custom: false,
};

let pageFlow: SignInFlow = 'password';

/** Has every sign-in of the page begin so, also those that follow a sign-up, a new password or a step-up. */
export function useSignInFlow(flow: SignInFlow): void {
  pageFlow = flow;
}

/** How a sign-in begins that is told nothing else. */
export const getPageFlow = (): SignInFlow => pageFlow;
