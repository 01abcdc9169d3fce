/** A page that logs in with a passkey: offered by autofill, or asked for by a button. `?service=` names another service. */
const service = new URL(location.href).searchParams.get('service') ?? 'http://localhost:3000';
const element = (selector) => document.querySelector(selector);
let accessToken;

async function ask(method, path, body) {
  const answer = await fetch(`${service}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(parsed.detail), { code: parsed.code });
  return parsed;
}

async function addPasskey() {
  const options = await ask('POST', '/passkey/start', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await ask('POST', '/passkey/complete', { credential: credential.toJSON() });
  await listPasskeys();
  return 'The passkey was added.';
}

/** Nobody is named: the passkey tells who it is. */
async function logInWithPasskey(how) {
  const { Session, ChallengeParameters } = await ask('POST', '/login/passkey/discoverable', {});
  const options = JSON.parse(ChallengeParameters.CREDENTIAL_REQUEST_OPTIONS);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey, ...how });
  try {
    const answer = { challenge_name: 'WEB_AUTHN', session: Session, challenge_value: credential.toJSON() };
    return await welcome(await ask('POST', '/login/challenge', answer));
  } catch (error) {
    if (error.code === 'passkey_not_found') await forget(options.rpId, credential.id);
    throw error;
  }
}

/** The device need not offer it any more. */
async function forget(rpId, credentialId) {
  await PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId });
}

async function removePasskey({ credential_id, relying_party_id }) {
  await ask('DELETE', '/passkey/delete', { credential_id });
  await forget(relying_party_id, credential_id);
  await listPasskeys();
  return 'The passkey was removed.';
}

async function listPasskeys() {
  const { passkeys } = await ask('GET', '/passkey');
  const items = passkeys.map((passkey) => {
    const item = document.createElement('li');
    const remove = document.createElement('button');
    remove.textContent = 'Remove';
    remove.addEventListener('click', () => void show(removePasskey(passkey)));
    item.append(`${passkey.name} `, remove);
    return item;
  });
  element('#passkeys').replaceChildren(...items);
}

async function welcome(tokens) {
  if (tokens.status !== 'success') return `${tokens.challenge_name} is asked for next.`;
  accessToken = tokens.access_token;
  const { user } = await ask('GET', '/user/profile');
  element('#account').hidden = false;
  await listPasskeys();
  return `${user.email} is logged in.`;
}

async function show(work) {
  const output = element('output');
  try {
    output.textContent = await work;
  } catch (error) {
    if (error.name !== 'AbortError') output.textContent = error.message;
  }
}

/** One request at a time: whoever uses the form gives autofill up. */
const autofill = new AbortController();

element('#login').addEventListener('submit', (event) => {
  event.preventDefault();
  autofill.abort();
  const { username, password } = Object.fromEntries(new FormData(event.target));
  void show(ask('POST', '/login', { username, password }).then(welcome));
});
element('#with-passkey').addEventListener('click', () => {
  autofill.abort();
  void show(logInWithPasskey({}));
});
element('#add').addEventListener('click', () => void show(addPasskey()));

if (await PublicKeyCredential.isConditionalMediationAvailable?.()) {
  void show(logInWithPasskey({ mediation: 'conditional', signal: autofill.signal }));
}
