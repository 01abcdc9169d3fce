/** A page that logs in by a session: the service keeps the tokens, and the browser a cookie that no script can read. */
// biome-ignore lint/correctness/noUnresolvedImports: it is a path of the server
import { createClient } from '/poolgate/index.js';

const client = createClient();
const element = (selector) => document.querySelector(selector);
const [login, answer, account] = ['#login', '#step', '#account'].map(element);

/** What is asked in each step that takes one answer, and what a browser may fill in. Other steps need a form of their own. */
const QUESTIONS = {
  totp: { text: () => 'Code of your authenticator app', autocomplete: 'one-time-code' },
  sentCode: { text: ({ destination }) => `Code that was sent to ${destination}`, autocomplete: 'one-time-code' },
  newPassword: { text: () => 'New password', autocomplete: 'new-password', type: 'password' },
};

let step;

function show(part, text) {
  for (const each of [login, answer, account]) each.hidden = each !== part;
  element('output').value = text;
}

async function showAccount() {
  const { user } = await client.session();
  if (user === null) return show(login, '');
  account.querySelector('input').value = (await client.profile.show()).attributes.name ?? '';
  return show(account, `${user.email} is logged in.`);
}

/** Each answer to a step gives the next one; a wrong answer gives the same one again, with an error. */
function showStep(next) {
  step = next;
  if (step.kind === 'done') return showAccount();
  if (step.kind === 'refused') return show(login, step.error.message);
  const question = QUESTIONS[step.kind];
  if (question === undefined) return show(login, `This page has no form for the step ${step.kind}.`);
  const input = answer.querySelector('input');
  Object.assign(input, { value: '', type: question.type ?? 'text', autocomplete: question.autocomplete });
  answer.querySelector('span').textContent = question.text(step);
  return show(answer, step.error?.message ?? '');
}

/** Does one thing at a time, and says what went wrong. */
function on(target, event, act) {
  target.addEventListener(event, async (happened) => {
    happened.preventDefault();
    element('output').value = '…';
    try {
      await act();
    } catch (error) {
      element('output').value = error.message;
    }
  });
}

on(login, 'submit', async () => {
  const { username, password, stay } = login.elements;
  const typed = { username: username.value, password: password.value, staySignedIn: stay.checked };
  password.value = '';
  await showStep(await client.login.withPassword(typed));
});
on(answer, 'submit', async () => showStep(await step.submit(answer.elements.answer.value)));
on(element('#save'), 'click', async () => {
  await client.profile.update({ name: account.querySelector('input').value });
  element('output').value = 'The name was saved.';
});
on(element('#log-out'), 'click', async () => {
  await client.logOut();
  show(login, 'You are logged out.');
});

await showAccount().catch((error) => show(login, error.message));
