import type { Client, LoginParameters, PasskeyFailure, StepOf } from '@poolgate/client';
import { html } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import type { Card } from '../ui/card.ts';
import { toDeviceName } from '../ui/device-name.ts';
import { renderButton } from '../ui/fields.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { isDeclined, saveDeclined } from './declined-questions.ts';

/** The last question of a sign-in. */
export interface LastQuestion {
  createCard(context: RenderContext, finish: () => void): Card;
}

/** The login that selects the question. */
export interface FinishedSignIn {
  readonly step: StepOf<'done'>;
  readonly usedPassword: boolean;
  readonly usedSecondFactor: boolean;
  readonly service: Client;
  readonly parameters: LoginParameters | undefined;
}

/**
 * Returns the last question of a sign-in: whether to trust the device after a second factor, or whether to add the first passkey after a
 * password. Undefined if there is none, or if the user has declined it here.
 */
export async function findLastQuestion(login: FinishedSignIn): Promise<LastQuestion | undefined> {
  const { step, usedPassword, usedSecondFactor } = login;
  const { rememberDevice, username } = step;
  if (rememberDevice !== null && usedSecondFactor && !(await isDeclined('device', username)))
    return createDeviceQuestion(username, rememberDevice);
  const canOffer = usedPassword && (await canAddPasskey(login)) && !(await isDeclined('passkey', username));
  return canOffer && (await hasNoPasskey(login.service)) ? createPasskeyQuestion(login) : undefined;
}

function createDeviceQuestion(username: string, remember: (name?: string) => Promise<void>): LastQuestion {
  return {
    createCard: (context, finish) => ({
      title: context.translation.text('device.rememberTitle'),
      subtitle: context.translation.text('device.rememberSubtitle'),
      mark: { icon: 'laptop' },
      body: html`${renderButton(context, {
        label: 'device.remember',
        name: 'remember',
        look: 'primary',
        onClick: () =>
          void context.form.run('remember', () => remember(toDeviceName(navigator.userAgent)).then(finish)),
      })}
      ${renderNotNow(context, () => saveDeclined('device', username).then(finish))}`,
    }),
  };
}

function createPasskeyQuestion({ step: { username }, service }: FinishedSignIn): LastQuestion {
  let failure: PasskeyFailure | undefined;
  const add = async (finish: () => void): Promise<void> => {
    const { kind } = await service.passkeys.create();
    if (kind === 'created' || kind === 'alreadyRegistered') finish();
    else failure = kind;
  };
  return {
    createCard: (context, finish) => ({
      title: context.translation.text('passkeyOffer.title'),
      subtitle: context.translation.text(
        failure === undefined ? 'passkeyOffer.subtitle' : (`passkey.${failure}` satisfies MessageId),
      ),
      mark: { icon: 'fingerprint' },
      body: html`${renderButton(context, {
        label: failure === undefined ? 'passkeys.add' : 'common.retry',
        name: 'add-passkey',
        look: 'primary',
        onClick: () => void context.form.run('add-passkey', () => add(finish)),
      })}
      ${renderNotNow(context, () => saveDeclined('passkey', username).then(finish))}`,
    }),
  };
}

const renderNotNow = (context: RenderContext, decline: () => Promise<void>) =>
  renderButton(context, { label: 'common.notNow', name: 'not-now', onClick: () => void decline() });

/** Whether this device can keep a passkey of the service. A page of another host cannot create one. */
async function canAddPasskey({ parameters }: FinishedSignIn): Promise<boolean> {
  const rpId = parameters?.passkeys.rp_id;
  if (!parameters?.first_factors.includes('WEB_AUTHN') || !rpId || !isHostOf(rpId)) return false;
  if (!('PublicKeyCredential' in globalThis)) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

const isHostOf = (rpId: string): boolean => location.hostname === rpId || location.hostname.endsWith(`.${rpId}`);

const hasNoPasskey = (service: Client): Promise<boolean> =>
  service.passkeys.list().then(
    (passkeys) => passkeys.length === 0,
    () => false,
  );
