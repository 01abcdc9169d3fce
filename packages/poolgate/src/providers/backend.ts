import type {
  AddClaimsHook,
  Computations,
  DeliveryReport,
  DesiredPoolSettings,
  EmbeddedPool,
  MigrateUserHook,
  Senders,
  SuppliedKeys,
  UnmappedTrigger,
} from '@poolgate/pool';
import type { PoolStore } from '@poolgate/pool/store';
import type { IdentityProvider } from '@poolgate/provider';
import type { AwsCredentials, CognitoLimits } from '@poolgate/provider-cognito';
import type { OpenSslEngine } from '@poolgate/srp/openssl';
import type { Configuration } from '../config/configuration.ts';
import type { WriteLogLine } from '../process/log-line.ts';
import type { System } from '../process/system.ts';
import type { ServiceKeyRing } from '../secrets/key-ring.ts';
import type { Outbox } from '../senders/outbox.ts';
import type { TriggerFunctions } from '../triggers/open-triggers.ts';

/** The pool and client that are served. */
export interface ServedPool {
  readonly userPoolId: string;
  readonly clientId: string;
  /** Whether the Cognito-compatible API requires a recent login to change sign-in methods. */
  readonly recentLoginOnCognitoApi: boolean;
}

/** What a provider asks of whoever runs the service. */
export interface ProviderHooks {
  /** With the embedded pool: adds claims to the tokens of a login, at each login and refresh. Those that the pool writes itself are never replaced. */
  readonly claims?: AddClaimsHook;
  /** With the embedded pool: admits a user of an older system at the first login. It sees a password only where the login form itself carries it. */
  readonly migrate?: MigrateUserHook;
  /**
   * With the embedded pool, for tests: two RSA private keys as PEM or JWK that sign the tokens of a pool that is made, so that a start makes none.
   * Refused in production, and with `secrets`: a store that holds them is encrypted by development, so production refuses it too.
   */
  readonly signingKeys?: SuppliedKeys;
  /**
   * With the embedded pool: functions in the shape of Lambda handlers, which its triggers call. Each by the ARN in the `LambdaConfig` of a
   * pool, or by the name that `triggerMap` gives that ARN.
   */
  readonly triggers?: TriggerFunctions;
  /** With `cognito`: gives the credentials of administrative calls; with the embedded pool, those by which Lambda is called. By default the AWS SDK looks for them. */
  readonly awsCredentials?: () => Promise<AwsCredentials>;
  /** With `cognito`: how long its calls may take, how often they are tried, and how many there may be. */
  readonly cognitoLimits?: Partial<CognitoLimits>;
}

/** What a provider is made of. */
export interface BackendDeps extends System {
  readonly configuration: Configuration;
  readonly keyRing: ServiceKeyRing;
  readonly engine: OpenSslEngine;
  readonly computations: Computations;
  readonly store: PoolStore;
  readonly log: WriteLogLine;
  /** The password that the demo user is to have, and the one of the other kind of development start. */
  readonly demoPasswords: { readonly wanted: string; readonly other: string };
  readonly hooks: ProviderHooks;
}

/** What only an embedded pool has. */
export interface EmbeddedBackend {
  readonly pool: EmbeddedPool;
  readonly senders: Senders;
}

/** What stands behind the service: the provider, and what a start does for it. */
export interface Backend {
  readonly provider: IdentityProvider;
  /** Undefined where the users are kept elsewhere. */
  readonly embedded: EmbeddedBackend | undefined;
  /** Messages that wait in development. */
  readonly outbox: Outbox | undefined;
  /** Whether the routes have the provider's own protocol beside them. */
  readonly cognitoApi: boolean;
  /**
   * Sees to it that there is a pool and a client to serve.
   * @param more the settings desired for a pool of one's own, beside what the configuration names
   * @throws StartError where what is kept does not go with the configuration
   */
  setUp(more: DesiredPoolSettings): Promise<ServedPool>;
  /** Makes the user of a development start where nobody else is. Gives its password where it is there. */
  provideDemoUser(served: ServedPool): Promise<string | undefined>;
  /** What an operator should know at a start, though it does not stop it. */
  startWarnings(): readonly string[];
  /** Whether everything that a login needs can be decrypted here, or a remote pool publishes its keys. Asked again at each call. */
  canServeLogins(served: ServedPool): Promise<boolean>;
  /** Functions that pools name, that are not mapped, and without which something fails or waits. */
  unmappedTriggers(): Promise<readonly UnmappedTrigger[]>;
  /**
   * Begins what goes on beside requests; gives what ends it.
   * @param onDelivered told what became of messages that are sent here
   */
  startBackgroundWork(log: WriteLogLine, onDelivered: (report: DeliveryReport) => void): () => Promise<void>;
  close(): void;
}

/** Opens a provider as the configuration says. */
export type OpenBackend = (parts: BackendDeps) => Promise<Backend>;
