import { useState } from 'react';
import { client } from './client.js';

/** What is asked in each step that takes one answer, and what a browser may fill in. Other steps need a form of their own. */
const QUESTIONS = {
  totp: { text: () => 'Code of your authenticator app', autoComplete: 'one-time-code' },
  sentCode: { text: ({ destination }) => `Code that was sent to ${destination}`, autoComplete: 'one-time-code' },
  recoveryCode: { text: () => 'Recovery code', autoComplete: 'off' },
  newPassword: { text: () => 'New password', autoComplete: 'new-password', type: 'password' },
};

/** Each answer to a step gives the next one; a wrong answer gives the same one again, with an error. */
export function Login() {
  const [step, setStep] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const act = async (next) => {
    setBusy(true);
    setStep(await next);
    setBusy(false);
  };
  const isAsked = step !== null && step.kind !== 'refused' && step.kind !== 'done';
  return (
    <>
      <h1>Log in</h1>
      {isAsked ? <Answer key={step.kind} step={step} act={act} /> : <Password act={act} />}
      <output>{isBusy ? '…' : (step?.error?.message ?? '')}</output>
    </>
  );
}

function Password({ act }) {
  const submit = (form) =>
    act(
      client.login.withPassword({
        username: form.get('username'),
        password: form.get('password'),
        staySignedIn: form.has('stay'),
      }),
    );
  return (
    <form action={submit}>
      <p>
        <label>
          E-mail <input name="username" autoComplete="username" defaultValue="demo@poolgate.test" required />
        </label>
      </p>
      <p>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </p>
      <p>
        <label>
          <input name="stay" type="checkbox" /> Stay signed in
        </label>
      </p>
      <p>
        <button type="submit">Log in</button>
      </p>
    </form>
  );
}

function Answer({ step, act }) {
  const question = QUESTIONS[step.kind];
  // No hook, whatever it is called.
  const byRecoveryCode = step.useRecoveryCode;
  if (question === undefined) return <p role="alert">This page has no form for the step {step.kind}.</p>;
  return (
    <form action={(form) => act(step.submit(form.get('answer')))}>
      <p>
        <label>
          {question.text(step)}{' '}
          <input name="answer" type={question.type ?? 'text'} autoComplete={question.autoComplete} required />
        </label>
      </p>
      <p>
        <button type="submit">Go on</button>{' '}
        {byRecoveryCode && (
          <button type="button" onClick={() => act(byRecoveryCode())}>
            Use a recovery code
          </button>
        )}
      </p>
    </form>
  );
}
