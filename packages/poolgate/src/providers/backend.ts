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
import type { FileBrands } from '../pages/brand/read-brand.ts';
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

/** The hooks of a provider, implemented by the operator. */
export interface ProviderHooks {
  /** Embedded pool only: adds claims to the tokens of a login, at each login and refresh. It never replaces claims that the pool sets. */
  readonly claims?: AddClaimsHook;
  /** Embedded pool only: imports a user of an older system at the first login. It receives a password only if the login form sends one. */
  readonly migrate?: MigrateUserHook;
  /**
   * Embedded pool only, for tests: two RSA private keys as PEM or JWK that sign the tokens of a new pool, so that a start creates none.
   * Production rejects them, and so does a start with `secrets`. A store that contains them is encrypted with development secrets, so
   * production rejects it too.
   */
  readonly signingKeys?: SuppliedKeys;
  /**
   * Embedded pool only: functions in the form of Lambda handlers, which the pool's triggers call. Each is listed under the ARN in the
   * pool's `LambdaConfig`, or under the name that `triggerMap` assigns to that ARN.
   */
  readonly triggers?: TriggerFunctions;
  /**
   * With `cognito`: returns the credentials of administrative calls. With the embedded pool: returns the credentials for calls of Lambda.
   * Default: the AWS SDK finds them.
   */
  readonly awsCredentials?: () => Promise<AwsCredentials>;
  /** With `cognito`: the timeout of its calls, the number of attempts, and the maximum number of calls. */
  readonly cognitoLimits?: Partial<CognitoLimits>;
}

/** The dependencies of a provider. */
export interface BackendDeps extends System {
  readonly configuration: Configuration;
  readonly keyRing: ServiceKeyRing;
  readonly engine: OpenSslEngine;
  readonly computations: Computations;
  readonly store: PoolStore;
  readonly log: WriteLogLine;
  /** Reads the brand file at the first call; undefined if none is configured. @throws StartError it cannot be used */
  readonly readBrands: () => FileBrands | undefined;
  /** The password that the demo user gets, and the password of the other kind of development start. */
  readonly demoPasswords: { readonly wanted: string; readonly other: string };
  readonly hooks: ProviderHooks;
}

/** What only an embedded pool provides. */
export interface EmbeddedBackend {
  readonly pool: EmbeddedPool;
  readonly senders: Senders;
}

/** The provider, and the start tasks that depend on it. */
export interface Backend {
  readonly provider: IdentityProvider;
  /** Undefined if the users are stored elsewhere. */
  readonly embedded: EmbeddedBackend | undefined;
  /** Messages that wait in development. */
  readonly outbox: Outbox | undefined;
  /** Whether the service also serves the provider's own protocol. */
  readonly cognitoApi: boolean;
  /**
   * Ensures that a pool and a client exist.
   * @param more additional settings for a new pool
   * @throws StartError the stored data does not fit the configuration
   */
  setUp(more: DesiredPoolSettings): Promise<ServedPool>;
  /** Creates the demo user of a development start if the pool has no other user. Returns its password if the user exists. */
  provideDemoUser(served: ServedPool): Promise<string | undefined>;
  /** Warnings for an operator that do not stop the start. */
  startWarnings(): readonly string[];
  /** Whether this process can decrypt everything that a login needs, or a remote pool publishes its keys. Checked at each call. */
  canServeLogins(served: ServedPool): Promise<boolean>;
  /** Returns functions that pools name and that are not mapped, if something fails or waits without them. */
  unmappedTriggers(): Promise<readonly UnmappedTrigger[]>;
  /**
   * Starts the background work and returns what ends it.
   * @param onDelivered receives the result of each message that is sent here
   */
  startBackgroundWork(log: WriteLogLine, onDelivered: (report: DeliveryReport) => void): () => Promise<void>;
  close(): void;
}

/** Opens a provider according to the configuration. */
export type OpenBackend = (parts: BackendDeps) => Promise<Backend>;
