import { webhookSecretKind } from './message-settings.ts';
import { isLoopback } from './mode.ts';
import { defineSetting } from './setting.ts';
import {
  createListKind,
  createOptionalKind,
  createSecretKind,
  createTextKind,
  createWholeNumberKind,
} from './value-kinds.ts';

/** The target of an ARN. */
export type TriggerRoute =
  | { readonly kind: 'lambda' }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly name: string };

const ARN = /^arn:[\w-]+:lambda:[a-z]{2}(?:-[a-z]+)+-\d:\d{12}:function:[\w-]{1,64}(?::[\w$-]{1,128})?$/;

/** The path starts with a dot, which distinguishes it from a URL and a name. */
const FILE = /^(?<path>\.{1,2}\/[^#\0]+)#(?<name>[A-Za-z_$][\w$]{0,63})$/;

function parseTriggerRoute(target: string): TriggerRoute | undefined {
  if (target === 'lambda') return { kind: 'lambda' };
  if (/^[A-Za-z_$][\w$]{0,63}$/.test(target)) return { kind: 'function', name: target };
  const file = FILE.exec(target)?.groups;
  if (file) return { kind: 'file', path: file.path ?? '', name: file.name ?? '' };
  if (!URL.canParse(target)) return undefined;
  const url = new URL(target);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe ? { kind: 'url', url: url.href } : undefined;
}

/** Parses an entry of `POOLGATE_TRIGGER_MAP`; undefined if invalid. */
export function parseTriggerEntry(entry: string): { readonly arn: string; readonly route: TriggerRoute } | undefined {
  const at = entry.indexOf('=');
  const arn = entry.slice(0, at);
  const route = at > 0 && ARN.test(arn) ? parseTriggerRoute(entry.slice(at + 1)) : undefined;
  return route && { arn, route };
}

/** Whether an entry posts to a URL. */
export function hasUrlTrigger(entries: readonly string[]): boolean {
  return entries.some((entry) => parseTriggerEntry(entry)?.route.kind === 'url');
}

const triggerEntry = createTextKind({
  allowed:
    '<ARN of a Lambda function>=lambda, =<https URL> (http on loopback), =<path from ./ or ../>#<name of its function> or =<name of a function of POOLGATE_TRIGGERS>, e.g. arn:aws:lambda:us-east-1:000000000000:function:pre-sign-up=./functions/pre-sign-up.mjs#handler',
  problem: 'is not a valid entry',
  accepts: (input) => parseTriggerEntry(input) !== undefined,
  show(value) {
    const { arn, route } = parseTriggerEntry(value) ?? {};
    // The part after the host may be the receiver's key.
    return route?.kind === 'url' ? `${arn}=${new URL(route.url).origin}/…` : value;
  },
});

const triggerMap = createListKind(triggerEntry);

/** An ARN has one target. */
const triggerEntries: typeof triggerMap = {
  ...triggerMap,
  read(input) {
    const reading = triggerMap.read(input);
    if (!reading.ok) return reading;
    const arns = reading.value.map((entry) => parseTriggerEntry(entry)?.arn);
    return new Set(arns).size === arns.length ? reading : { ok: false, problem: 'contains an ARN twice' };
  },
};

const modulePath = createTextKind({
  allowed: 'the path of a module, e.g. ./triggers.ts',
  problem: 'is not a path',
  accepts: (input) => input.length > 0 && !input.includes('\0'),
});

const endpoint = createTextKind({
  allowed: 'an http or https URL without credentials',
  problem: 'is not a valid URL',
  accepts(input) {
    const url = URL.canParse(input) ? new URL(input) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '';
  },
});

/** The targets that replace the Lambda functions in a pool's settings. */
export const triggerSettings = {
  triggerMap: defineSetting('POOLGATE_TRIGGER_MAP', triggerEntries, {
    default: [],
    defaultText: 'no triggers',
    sensitive: true,
    help: 'Which target to call for each ARN in the `LambdaConfig` of pools. `lambda` calls Lambda itself, or POOLGATE_LAMBDA_ENDPOINT. A URL receives the event in a signed request, as in Standard Webhooks. `./functions/pre-sign-up.mjs#handler` is a function in a file, relative to the working directory. Another name is a function in POOLGATE_TRIGGERS. In development, the service reloads a file when it or a file that it imports changes. An ARN without an entry is never called: requests that need it fail, and messages that need it wait (in development they get the default text).',
  }),
  triggerModule: defineSetting('POOLGATE_TRIGGERS', createOptionalKind(modulePath, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'A module that exports Lambda-style handlers, which run in this process. In development, the service reloads it when the file changes.',
  }),
  triggerSecret: defineSetting(
    'POOLGATE_TRIGGER_SECRET',
    createOptionalKind(createSecretKind(webhookSecretKind), '(none)'),
    {
      default: undefined,
      defaultText: 'none',
      sensitive: true,
      help: 'The secret that signs requests to the URLs in POOLGATE_TRIGGER_MAP. Required if it contains URLs.',
    },
  ),
  triggerBreakerNetworks: defineSetting('POOLGATE_TRIGGER_BREAKER_NETWORKS', createWholeNumberKind(1, 1_000), {
    default: 8,
    help: 'How many distinct networks (/24 or /48) must see a trigger time out or fail in a row before the service stops calling it for ten seconds. Lower it only if all users come from fewer networks. Five refused connections in a row have the same effect.',
  }),
  lambdaEndpoint: defineSetting('POOLGATE_LAMBDA_ENDPOINT', createOptionalKind(endpoint, '(the AWS endpoint)'), {
    default: undefined,
    defaultText: 'the AWS endpoint in the region of the ARN',
    help: 'The endpoint that invokes `lambda` functions, for example an emulator. Credentials come from the AWS SDK.',
  }),
};
