import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProviderError } from '@poolgate/provider';
import { createClockPort, createRequestCallerPort, createTestPoolRecord, RANDOM_PORT } from '../testing/test-ports.ts';
import { formatTriggerArn } from '../testing/test-triggers.ts';
import { findConfiguredTrigger, findTokenTrigger, requireConfiguredTrigger } from './configured-triggers.ts';
import { invokeTrigger } from './invoke-trigger.ts';
import {
  parseBoolean,
  parseObject,
  parseOptional,
  parseText,
  parseTextList,
  parseTextMap,
} from './parse-trigger-response.ts';
import { TRIGGER_DEFINITIONS } from './trigger-definitions.ts';
import { LAMBDA_TIMEOUT_MESSAGE } from './trigger-errors.ts';
import type { TriggerEvent, TriggerOutcome } from './trigger-invoker.ts';

const UNRECOGNIZABLE = { code: 'InvalidLambdaResponseException', message: 'Unrecognizable lambda output' };
const {
  PreSignUp,
  UserMigration,
  CustomMessage,
  DefineAuthChallenge,
  CreateAuthChallenge,
  VerifyAuthChallengeResponse,
  PreTokenGeneration,
  PreTokenGenerationV2,
} = TRIGGER_DEFINITIONS;

/** A text whose JSON has the given number of bytes. */
const createJson = (bytes: number, around: (text: string) => object) => {
  const least = Buffer.byteLength(JSON.stringify(around('')));
  const odd = (bytes - least) % 2 === 0 ? '' : 'x';
  return around(odd + 'é'.repeat((bytes - least - odd.length) / 2));
};

describe('a member of a response', () => {
  it('has its type, or the response is refused', () => {
    const rows: readonly [read: (value: unknown) => unknown, good: unknown, bad: readonly unknown[]][] = [
      [parseObject, { a: 1 }, [undefined, null, 'x', 7, [], [{}]]],
      [parseBoolean, true, ['true', 1, {}, '']],
      [parseText, '', [undefined, null, 7, {}, ['x'], '\ud800']],
      [parseTextList, ['a', ''], [undefined, 'a', { 0: 'a', length: 1 }, ['a', 7], ['\udfff']]],
      [parseTextMap, { a: 'b' }, [undefined, [], 'x', { a: 7 }, { a: true }, { a: '\ud800' }]],
    ];
    for (const [read, good, bad] of rows) {
      assert.deepEqual(read(good), good, read.name);
      for (const value of bad)
        assert.throws(() => read(value), UNRECOGNIZABLE, `${read.name} ${JSON.stringify(value)}`);
    }
    for (const absent of [undefined, null]) {
      assert.equal(parseBoolean(absent), false);
      assert.equal(parseOptional(absent, parseText), undefined);
      assert.deepEqual(parseTextMap({ a: absent, b: 'c' }), { b: 'c' });
    }
    assert.equal(parseOptional('', parseText), '');
  });
});

describe('what counts in a response', () => {
  it('is how far a sign-up is confirmed', () => {
    const none = { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false };
    assert.deepEqual(PreSignUp.read({}), none);
    for (const name of Object.keys(none)) {
      assert.deepEqual(PreSignUp.read({ [name]: true }), { ...none, [name]: true });
      assert.throws(() => PreSignUp.read({ [name]: 'true' }), UNRECOGNIZABLE);
    }
    assert.equal(VerifyAuthChallengeResponse.read({ answerCorrect: true }), true);
    assert.equal(VerifyAuthChallengeResponse.read({}), false);
  });

  it('is a user of an older system, or none', () => {
    const userAttributes = { email: 'ada@example.com' };
    const read = (more: object) => UserMigration.read({ userAttributes, ...more });
    assert.equal(UserMigration.read({ finalUserStatus: 'CONFIRMED' }), undefined);
    assert.deepEqual(read({}), { userAttributes, isConfirmed: false, forceAliasCreation: false });
    assert.equal(read({ finalUserStatus: 'CONFIRMED' })?.isConfirmed, true);
    assert.equal(read({ finalUserStatus: 'RESET_REQUIRED' })?.isConfirmed, false);
    assert.equal(read({ forceAliasCreation: true })?.forceAliasCreation, true);
    for (const wrong of [{ finalUserStatus: 'UNKNOWN' }, { finalUserStatus: 7 }, { forceAliasCreation: 'yes' }]) {
      assert.throws(() => read(wrong), UNRECOGNIZABLE);
    }
  });

  it('is a message text as long as one of a pool', () => {
    const lengths = { smsMessage: 140, emailMessage: 20_000, emailSubject: 140 };
    const nothing = { smsMessage: undefined, emailMessage: undefined, emailSubject: undefined };
    assert.deepEqual(CustomMessage.read({}), nothing);
    for (const [name, most] of Object.entries(lengths)) {
      const longest = 'é'.repeat(most);
      assert.deepEqual(CustomMessage.read({ [name]: longest }), { ...nothing, [name]: longest });
      assert.throws(() => CustomMessage.read({ [name]: `${longest}x` }), UNRECOGNIZABLE, name);
    }
  });

  it('is the next step of a custom login', () => {
    const step = { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: true };
    assert.deepEqual(DefineAuthChallenge.read(step), step);
    const end = { challengeName: undefined, issueTokens: false, failAuthentication: false };
    assert.deepEqual(DefineAuthChallenge.read({ challengeName: null, issueTokens: null }), end);
    const publicChallengeParameters = { shown: 'a' };
    const privateChallengeParameters = { kept: 'b' };
    assert.deepEqual(
      CreateAuthChallenge.read({ publicChallengeParameters, privateChallengeParameters, challengeMetadata: 'c' }),
      { publicParameters: publicChallengeParameters, privateParameters: privateChallengeParameters, metadata: 'c' },
    );
    const empty = { publicParameters: {}, privateParameters: {}, metadata: undefined };
    assert.deepEqual(CreateAuthChallenge.read({}), empty);
    const read = (bytes: number) =>
      CreateAuthChallenge.read({ publicChallengeParameters: createJson(bytes, (shown) => ({ shown })) });
    assert.equal(Buffer.byteLength(JSON.stringify(read(16_384).publicParameters)), 16_384);
    assert.throws(() => read(16_385), UNRECOGNIZABLE);
  });

  it('is the content of tokens, only of the ID token in version 1', () => {
    const NO_CLAIMS = { set: {}, suppress: [] };
    const NOTHING = { id: NO_CLAIMS, access: NO_CLAIMS, scopesToAdd: [], scopesToSuppress: [], groups: undefined };
    const claims = { claimsToAddOrOverride: { plan: 'gold' }, claimsToSuppress: ['email'] };
    const read = { set: { plan: 'gold' }, suppress: ['email'] };
    const groupOverrideDetails = { groupsToOverride: ['a'], iamRolesToOverride: ['b'], preferredRole: 'c' };
    const groups = { names: ['a'], roles: ['b'], preferredRole: 'c' };
    const v1 = (claimsOverrideDetails: unknown) => PreTokenGeneration.read({ claimsOverrideDetails });
    const v2 = (details: unknown) => PreTokenGenerationV2.read({ claimsAndScopeOverrideDetails: details });
    for (const version of [v1, v2]) {
      assert.deepEqual(version(null), NOTHING);
      assert.deepEqual(version({}), NOTHING);
      const none = { names: undefined, roles: undefined, preferredRole: undefined };
      for (const empty of [null, {}]) assert.deepEqual(version({ groupOverrideDetails: empty }).groups, none);
      assert.throws(() => version('x'), UNRECOGNIZABLE);
    }
    assert.deepEqual(v1({ ...claims, groupOverrideDetails }), { ...NOTHING, id: read, groups });
    assert.throws(() => v1({ claimsToAddOrOverride: { tenant: { id: 7 } } }), UNRECOGNIZABLE, 'texts only');
    const scopes = { scopesToAdd: ['things/read'], scopesToSuppress: ['two words'] };
    assert.deepEqual(v2({ idTokenGeneration: claims, groupOverrideDetails }), { ...NOTHING, id: read, groups });
    assert.deepEqual(v2({ accessTokenGeneration: { ...claims, ...scopes } }), { ...NOTHING, access: read, ...scopes });
    const tenant = { tenant: { id: 7 } };
    assert.deepEqual(v2({ idTokenGeneration: { claimsToAddOrOverride: tenant } }).id.set, tenant);
  });

  it('is limited in the size of tokens', () => {
    const createResponse = (bytes: number) => ({ claimsToAddOrOverride: createJson(bytes, (claim) => ({ claim })) });
    const named = (length: number) => ({ claimsToAddOrOverride: { ['x'.repeat(length)]: 1 } });
    const many = (length: number) => Array.from({ length }, (_, at) => `n${at}`);
    const claimed = (length: number) => ({
      claimsToAddOrOverride: Object.fromEntries(many(length).map((n) => [n, 1])),
    });
    const rows: readonly [make: (size: number) => object, most: number][] = [
      [createResponse, 8_192],
      [named, 256],
      [claimed, 100],
      [(size) => ({ claimsToSuppress: many(size) }), 100],
      [(size) => ({ claimsToSuppress: ['x'.repeat(size)] }), 256],
      [(size) => ({ scopesToAdd: many(size) }), 100],
      [(size) => ({ scopesToAdd: ['x'.repeat(size)] }), 256],
    ];
    for (const [make, most] of rows) {
      const read = (size: number) =>
        PreTokenGenerationV2.read({ claimsAndScopeOverrideDetails: { accessTokenGeneration: make(size) } });
      read(most);
      assert.throws(() => read(most + 1), UNRECOGNIZABLE, `${make}`);
    }
    for (const details of [{ claimsToSuppress: [''] }, { scopesToAdd: ['two words'] }, { scopesToAdd: ['é'] }]) {
      const answer = { claimsAndScopeOverrideDetails: { accessTokenGeneration: details } };
      assert.throws(() => PreTokenGenerationV2.read(answer), UNRECOGNIZABLE);
    }
  });
});

describe('the call of a trigger', () => {
  const pool = createTestPoolRecord();
  let events: TriggerEvent[] = [];
  const ask = (outcome: TriggerOutcome | undefined, clientId?: string) => {
    const invoke = async (event: TriggerEvent) => {
      events.push(event);
      return outcome ?? assert.fail('not called');
    };
    const triggers = { targetOf: () => outcome && { invoke } };
    const request = { userAttributes: { email: 'a@b.example' }, validationData: null, clientMetadata: undefined };
    const question = { pool, clientId, source: 'PreSignUp_SignUp', userName: 'ada', request } as const;
    const ports = {
      ...createClockPort(),
      ...RANDOM_PORT,
      ...createRequestCallerPort(),
      timer: { after: () => () => {} },
      triggers,
      callLimiters: new Map(),
      triggersUntilMs: Number.POSITIVE_INFINITY,
    };
    return invokeTrigger(ports, { kind: 'PreSignUp', arn: formatTriggerArn('f') }, question);
  };

  it('is an event without unknown members', async () => {
    events = [];
    await ask({ kind: 'answered', answer: { response: {} } });
    await ask({ kind: 'answered', answer: { response: {} } }, 'client');
    assert.deepEqual(
      events.map(({ callerContext }) => callerContext.clientId),
      ['CLIENT_ID_NOT_APPLICABLE', 'client'],
    );
    const { callerContext: _, ...event } = events[0] ?? assert.fail('not called');
    assert.deepEqual(event, {
      version: '1',
      triggerSource: 'PreSignUp_SignUp',
      region: 'us-east-1',
      userPoolId: pool.id,
      userName: 'ada',
      request: { userAttributes: { email: 'a@b.example' }, validationData: null },
      response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    });
  });

  it('ends with a verdict, or with the reason why there is none', async () => {
    const confirmed = { autoConfirmUser: true, autoVerifyEmail: false, autoVerifyPhone: false };
    const answer = { response: { autoConfirmUser: true, unknown: 7 } };
    assert.deepEqual(await ask({ kind: 'answered', answer }), confirmed);
    const failed = (why: string): TriggerOutcome => ({ kind: 'failed', why, isWorthRetrying: false });
    const refused = (message: string): TriggerOutcome => ({ kind: 'refused', message });
    const no = 'PreSignUp failed with error';
    const down = 'PreSignUp invocation failed due to error';
    const unreadable = new Proxy(
      {},
      {
        get: () => {
          throw new RangeError('nested too deep');
        },
      },
    );
    const rows: readonly [outcome: TriggerOutcome | undefined, code: string, message: string, reason?: string][] = [
      [refused('no'), 'UserLambdaValidationException', `${no} no.`],
      [refused(' a\r\nb\u2028\u0000c '), 'UserLambdaValidationException', `${no} a b c.`],
      [refused('x'.repeat(1_024)), 'UserLambdaValidationException', `${no} ${'x'.repeat(1_024)}.`],
      [refused('x'.repeat(1_025)), 'UserLambdaValidationException', `${no} ${'x'.repeat(1_024)}.`],
      [refused(`${'x'.repeat(1_023)}😀`), 'UserLambdaValidationException', `${no} ${'x'.repeat(1_023)}\ufffd.`],
      [undefined, 'UnexpectedLambdaException', `${down} AccessDeniedException.`],
      [failed('Odd'), 'UnexpectedLambdaException', `${down} Odd.`],
      [
        failed(LAMBDA_TIMEOUT_MESSAGE),
        'UnexpectedLambdaException',
        `${down} ${LAMBDA_TIMEOUT_MESSAGE}.`,
        'provider_timeout',
      ],
      [
        { kind: 'answered', answer: undefined },
        'InvalidLambdaResponseException',
        'Invalid lambda function output : Invalid JSON',
      ],
      [{ kind: 'answered', answer: null }, UNRECOGNIZABLE.code, UNRECOGNIZABLE.message],
      [{ kind: 'answered', answer: {} }, UNRECOGNIZABLE.code, UNRECOGNIZABLE.message],
      [{ kind: 'answered', answer: { response: unreadable } }, UNRECOGNIZABLE.code, UNRECOGNIZABLE.message],
    ];
    for (const [outcome, code, message, reason] of rows) {
      await assert.rejects(ask(outcome), (refusal: ProviderError) => {
        assert.deepEqual([refusal.code, refusal.message, refusal.reason], [code, message, reason]);
        return true;
      });
    }
  });
});

describe('a trigger of a pool', () => {
  const settingsWith = (LambdaConfig: object) => ({
    ...createTestPoolRecord().settings,
    kept: { LambdaConfig },
  });
  const arn = formatTriggerArn('f');

  it('is the function in the settings', () => {
    const settings = settingsWith({ DefineAuthChallenge: arn });
    const trigger = { kind: 'DefineAuthChallenge', arn };
    assert.deepEqual(findConfiguredTrigger(settings, 'DefineAuthChallenge'), trigger);
    assert.deepEqual(requireConfiguredTrigger(settings, 'DefineAuthChallenge'), trigger);
    assert.equal(findConfiguredTrigger(settings, 'CreateAuthChallenge'), undefined);
    assert.throws(() => requireConfiguredTrigger(settings, 'CreateAuthChallenge'), {
      code: 'InvalidParameterException',
      message: 'Custom auth lambda trigger is not configured for the user pool.',
      reason: 'flow_disabled',
    });
  });

  it('has the configured version of the pre-token event, otherwise the first', () => {
    const other = formatTriggerArn('other');
    const versioned = (LambdaVersion: string) => ({
      PreTokenGeneration: other,
      PreTokenGenerationConfig: { LambdaVersion, LambdaArn: arn },
    });
    for (const [config, kind, called] of [
      [versioned('V1_0'), 'PreTokenGeneration', arn],
      [versioned('V2_0'), 'PreTokenGenerationV2', arn],
      [versioned('V3_0'), 'PreTokenGenerationV3', arn],
      [{ PreTokenGeneration: other }, 'PreTokenGeneration', other],
    ] as const) {
      assert.deepEqual(findTokenTrigger(settingsWith(config)), { kind, arn: called });
    }
    assert.equal(findTokenTrigger(settingsWith({})), undefined);
  });
});
