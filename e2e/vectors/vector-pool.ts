import { randomBytes } from 'node:crypto';
import type { Gateway } from '@poolgate/gateway';
import type { PasskeyRecord, PoolSettings } from '@poolgate/pool/store';
import { openTestEnvironment, type TestEnvironment } from '../../packages/pool/src/testing/test-environment.ts';
import { addUser, openTestPoolOn, PASSWORD, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { createGatewayServer } from '../support/services/gateway-server.ts';
import { ORIGIN, RELYING_PARTY_ID } from './webauthn-level-3.ts';

/** The response of the pool's own protocol. */
export interface CognitoApiAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const USER = 'ada@example.com';

const WEB_AUTHN: NonNullable<PoolSettings['webAuthn']> = {
  relyingPartyId: RELYING_PARTY_ID,
  origins: [ORIGIN],
  userVerification: 'preferred',
  factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
};

/** The service for the relying party of the vectors, with one user. It issues the challenges that a test chooses. */
export class VectorPool {
  readonly #opened: TestEnvironment;
  readonly #pool: TestPool;
  readonly #gateway: Gateway;
  readonly #challenges: ChallengeSource;
  readonly #username: string;

  private constructor(
    opened: TestEnvironment,
    pool: TestPool,
    gateway: Gateway,
    challenges: ChallengeSource,
    name: string,
  ) {
    this.#opened = opened;
    this.#pool = pool;
    this.#gateway = gateway;
    this.#challenges = challenges;
    this.#username = name;
  }

  static async open(): Promise<VectorPool> {
    const real = await openTestEnvironment('sqlite::memory:');
    const challenges = new ChallengeSource();
    const opened = { ...real, options: { ...real.options, random: (length: number) => challenges.random(length) } };
    const pool = await openTestPoolOn(opened, { pool: { webAuthn: WEB_AUTHN } });
    const username = await addUser(pool, USER);
    return new VectorPool(opened, pool, await createGatewayServer(opened, pool), challenges, username);
  }

  /** The user's stored passkeys. */
  passkeys(): Promise<readonly PasskeyRecord[]> {
    return this.#pool.store.passkeys.listOf(this.#pool.userPoolId, this.#username);
  }

  async accessToken(): Promise<string> {
    const AuthParameters = { USERNAME: USER, PASSWORD };
    const { body } = await this.#call('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
    return (body.AuthenticationResult as { readonly AccessToken: string }).AccessToken;
  }

  /** Registers with this challenge. */
  async register(AccessToken: string, challenge: Buffer, Credential: unknown): Promise<CognitoApiAnswer> {
    this.#challenges.next = challenge;
    await this.#call('StartWebAuthnRegistration', { AccessToken });
    this.#challenges.next = undefined;
    return this.#call('CompleteWebAuthnRegistration', { AccessToken, Credential });
  }

  /** Logs in with this challenge. */
  async logIn(challenge: Buffer, credential: unknown): Promise<CognitoApiAnswer> {
    const AuthParameters = { USERNAME: USER, PREFERRED_CHALLENGE: 'WEB_AUTHN' };
    this.#challenges.next = challenge;
    const { body } = await this.#call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters });
    this.#challenges.next = undefined;
    const ChallengeResponses = { USERNAME: USER, CREDENTIAL: JSON.stringify(credential) };
    const { ChallengeName, Session } = body;
    return this.#call('RespondToAuthChallenge', { ChallengeName, Session, ChallengeResponses });
  }

  /** Removes every passkey of the user. */
  async forget(AccessToken: string): Promise<void> {
    for (const { credentialId } of await this.passkeys()) {
      await this.#call('DeleteWebAuthnCredential', { AccessToken, CredentialId: credentialId });
    }
  }

  async close(): Promise<void> {
    await this.#gateway.close();
    await this.#opened.close();
  }

  async #call(operation: string, input: Readonly<Record<string, unknown>>): Promise<CognitoApiAnswer> {
    const isForClient = input.AccessToken === undefined;
    const answer = await this.#gateway.inject({
      method: 'POST',
      path: '/',
      headers: {
        host: 'localhost',
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify(isForClient ? { ClientId: this.#pool.clientId, ...input } : input),
    });
    return { status: answer.status, body: (await answer.json()) as CognitoApiAnswer['body'] };
  }
}

/** Random bytes, except for a challenge that a test chose. */
class ChallengeSource {
  next: Buffer | undefined;

  random(length: number): Uint8Array<ArrayBuffer> {
    const bytes = this.next?.length === length ? this.next : randomBytes(length);
    return new Uint8Array(bytes);
  }
}
