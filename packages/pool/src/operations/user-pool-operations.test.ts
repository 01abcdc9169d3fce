import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { createPool, type EmbeddedPool } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { TEST_CALL } from '../testing/test-pool.ts';

type Members = Omit<Input<'CreateUserPool'>, 'PoolName'>;

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:after';

forEachDatabase((database) => {
  describe(`pools created with the API, on ${database.name}`, () => {
    let opened: TestEnvironment;
    let embedded: EmbeddedPool;
    let servedId: string;
    let servedClientId: string;
    before(async () => {
      opened = await openTestEnvironment(await database.create());
      embedded = createPool(opened.options);
      const served = await embedded.setUp({
        mfaConfiguration: 'OPTIONAL',
        recovery: ['verified_email'],
        authSessionSeconds: 300,
      });
      servedId = served.pool.id;
      servedClientId = served.client.id;
    });
    after(() => opened.close());

    const made = async (members: Members = {}) => {
      const { UserPool } = await embedded.operations.createUserPool({ PoolName: 'made', ...members }, TEST_CALL);
      return UserPool ?? assert.fail('a pool must be shown');
    };
    const describePool = async (UserPoolId = '') =>
      (await embedded.operations.describeUserPool({ UserPoolId }, TEST_CALL)).UserPool ?? assert.fail();

    it('have the defaults of the API, which differ from those of the served pool', async () => {
      const pool = await made();
      assert.match(pool.Id ?? '', /^us-east-1_[0-9A-Za-z]{9}$/);
      assert.equal(pool.Arn, `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${pool.Id}`);
      assert.deepEqual(await describePool(pool.Id), pool);
      const { SchemaAttributes, Id: _id, Arn: _arn, LastModifiedDate, CreationDate, ...rest } = pool;
      assert.equal(SchemaAttributes?.length, 20);
      assert.equal(CreationDate, opened.clock.now() / 1_000);
      assert.equal(LastModifiedDate, CreationDate);
      assert.deepEqual(rest, {
        Name: 'made',
        LambdaConfig: {},
        EstimatedNumberOfUsers: 0,
        EmailConfiguration: { EmailSendingAccount: 'COGNITO_DEFAULT' },
        UserPoolTier: 'ESSENTIALS',
        AcrConfiguration: {
          Level1: { AcrValue: 'urn:cognito:loa:1' },
          Level2: { AcrValue: 'urn:cognito:loa:2' },
          Level3: { AcrValue: 'urn:cognito:loa:3' },
          Level4: { AcrValue: 'urn:cognito:loa:4' },
        },
        VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' },
        Policies: {
          PasswordPolicy: {
            MinimumLength: 8,
            RequireUppercase: true,
            RequireLowercase: true,
            RequireNumbers: true,
            RequireSymbols: true,
            TemporaryPasswordValidityDays: 7,
          },
          SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] },
        },
        DeletionProtection: 'INACTIVE',
        MfaConfiguration: 'OFF',
        UserPoolTags: {},
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: false, UnusedAccountValidityDays: 7 },
        AccountRecoverySetting: {
          RecoveryMechanisms: [
            { Priority: 1, Name: 'verified_phone_number' },
            { Priority: 2, Name: 'verified_email' },
          ],
        },
        UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: [] },
        IssuerConfiguration: { Type: 'ORIGINAL' },
      });
      const factors = await embedded.operations.getUserPoolMfaConfig({ UserPoolId: pool.Id ?? '' }, TEST_CALL);
      assert.deepEqual(factors, { MfaConfiguration: 'OFF' });
    });

    it('return what was set, supported or only stored, so that tools find no difference', async () => {
      const said = {
        Policies: {
          PasswordPolicy: {
            MinimumLength: 12,
            RequireUppercase: false,
            RequireLowercase: true,
            RequireNumbers: true,
            RequireSymbols: false,
            TemporaryPasswordValidityDays: 3,
          },
          SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP'] },
        },
        DeletionProtection: 'INACTIVE',
        LambdaConfig: { PostConfirmation: ARN, PreAuthentication: ARN },
        AutoVerifiedAttributes: ['email'],
        UsernameAttributes: ['email'],
        UsernameConfiguration: { CaseSensitive: true },
        EmailVerificationSubject: 'Your code',
        VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE', EmailMessage: 'It is {####}.' },
        UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
        DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: false },
        EmailConfiguration: { EmailSendingAccount: 'DEVELOPER', From: 'a@example.test' },
        SmsConfiguration: { SnsCallerArn: 'arn:aws:iam::123456789012:role/sms', ExternalId: 'x' },
        UserPoolTags: { stage: 'test' },
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true, UnusedAccountValidityDays: 3 },
        UserPoolAddOns: { AdvancedSecurityMode: 'OFF' },
        AccountRecoverySetting: { RecoveryMechanisms: [{ Priority: 1, Name: 'verified_email' }] },
        MfaConfiguration: 'OPTIONAL',
        UserPoolTier: 'PLUS',
        KeyConfiguration: { KeyType: 'AWS_OWNED_KEY' },
        IssuerConfiguration: { Type: 'UPDATED' },
      } as const satisfies Members;
      const pool = await made(said);
      for (const [member, value] of Object.entries(said))
        assert.deepEqual(pool[member as keyof typeof pool], value, member);
      assert.deepEqual(await describePool(pool.Id), pool);
      const issuer = `https://issuer-cognito-idp.us-east-1.amazonaws.com/${pool.Id}`;
      assert.equal((await embedded.describe(pool.Id ?? ''))?.issuer, issuer);
      const { UsernameAttributes: _names, UsernameConfiguration: _case, ...members } = said;
      await embedded.operations.updateUserPool({ UserPoolId: pool.Id ?? '', ...members }, TEST_CALL);
      assert.deepEqual(await describePool(pool.Id), pool, 'saying the same again changes nothing');
    });

    it('lose on an update what it leaves out, and keep what cannot be changed', async () => {
      const { Id = '' } = await made({
        UsernameAttributes: ['email'],
        AutoVerifiedAttributes: ['email'],
        DeviceConfiguration: { ChallengeRequiredOnNewDevice: true },
        EmailConfiguration: { From: 'a@example.test' },
        UserPoolTags: { stage: 'test' },
        Schema: [
          { Name: 'email', Required: true, Mutable: false },
          { Name: 'team', AttributeDataType: 'String', StringAttributeConstraints: { MaxLength: '9' } },
        ],
      });
      const before = await describePool(Id);
      opened.clock.advance(1_000);
      await embedded.operations.updateUserPool({ UserPoolId: Id, PoolName: 'renamed' }, TEST_CALL);
      const after = await describePool(Id);
      assert.equal(after.Name, 'renamed');
      assert.equal(after.LastModifiedDate, (before.LastModifiedDate ?? 0) + 1);
      assert.deepEqual([after.AutoVerifiedAttributes, after.DeviceConfiguration], [undefined, undefined]);
      assert.deepEqual(after.EmailConfiguration, { EmailSendingAccount: 'COGNITO_DEFAULT' });
      assert.deepEqual(after.UsernameAttributes, ['email']);
      assert.deepEqual(after.UserPoolTags, { stage: 'test' });
      assert.deepEqual(after.SchemaAttributes, before.SchemaAttributes);
    });

    it('enforce their schema: immutable attributes are set once, and custom attributes are only added', async () => {
      const { Id = '' } = await made({ Schema: [{ Name: 'given_name', Required: true, Mutable: false }] });
      const custom = {
        Name: 'level',
        AttributeDataType: 'Number',
        NumberAttributeConstraints: { MaxValue: '5' },
      } as const;
      const add = () =>
        embedded.operations.addCustomAttributes({ UserPoolId: Id, CustomAttributes: [custom] }, TEST_CALL);
      await add();
      await assertRefused(
        add(),
        'InvalidParameterException',
        'custom:level: Existing attribute already has name custom:level.',
      );
      const shown = (await describePool(Id)).SchemaAttributes?.filter(({ Name }) => /level|given/.test(Name ?? ''));
      assert.deepEqual(shown, [
        {
          Name: 'given_name',
          AttributeDataType: 'String',
          DeveloperOnlyAttribute: false,
          Mutable: false,
          Required: true,
          StringAttributeConstraints: { MinLength: '0', MaxLength: '2048' },
        },
        {
          Name: 'custom:level',
          AttributeDataType: 'Number',
          DeveloperOnlyAttribute: false,
          Mutable: true,
          Required: false,
          NumberAttributeConstraints: { MaxValue: '5' },
        },
      ]);
      const user = { UserPoolId: Id, Username: 'ada' };
      const set = (Name: string, Value: string) =>
        embedded.operations.adminUpdateUserAttributes({ ...user, UserAttributes: [{ Name, Value }] }, TEST_CALL);
      await embedded.operations.adminCreateUser(
        { ...user, MessageAction: 'SUPPRESS', UserAttributes: [{ Name: 'given_name', Value: 'Ada' }] },
        TEST_CALL,
      );
      await assertRefused(set('given_name', 'Eve'), 'InvalidParameterException');
      await assertRefused(set('custom:level', '6'), 'InvalidParameterException');
      await set('custom:level', '5');
      const header = (await embedded.operations.getCSVHeader({ UserPoolId: Id }, TEST_CALL)).CSVHeader ?? [];
      assert.deepEqual(header.slice(-4), ['updated_at', 'custom:level', 'cognito:mfa_enabled', 'cognito:username']);
    });

    const PROMISES: readonly (readonly [string, string, Members])[] = [
      ['a password history', 'InvalidParameterException', { Policies: { PasswordPolicy: { PasswordHistorySize: 3 } } }],
      ['threat protection', 'InvalidParameterException', { UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' } }],
      ['keys of the customer', 'InvalidParameterException', { KeyConfiguration: { KeyType: 'CUSTOMER_MANAGED_KEY' } }],
      [
        'a sender of SMS of one’s own',
        'InvalidParameterException',
        { LambdaConfig: { CustomSMSSender: { LambdaVersion: 'V1_0', LambdaArn: ARN }, KMSKeyID: 'arn:aws:kms:x' } },
      ],
      [
        'two functions for one trigger',
        'InvalidParameterException',
        {
          LambdaConfig: {
            PreTokenGeneration: ARN,
            PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: `${ARN}-2` },
          },
        },
      ],
      ['custom attributes that are required', 'InvalidParameterException', { Schema: [{ Name: 'x', Required: true }] }],
      [
        'another type of a standard attribute',
        'InvalidParameterException',
        { Schema: [{ Name: 'email', AttributeDataType: 'Number' }] },
      ],
      ['a sub that may change', 'InvalidParameterException', { Schema: [{ Name: 'sub', Mutable: true }] }],
      [
        'names of both kinds',
        'InvalidParameterException',
        { UsernameAttributes: ['email'], AliasAttributes: ['email'] },
      ],
      ['MFA without a method', 'InvalidParameterException', { MfaConfiguration: 'ON' }],
      [
        'one recovery twice',
        'InvalidParameterException',
        {
          AccountRecoverySetting: {
            RecoveryMechanisms: [
              { Name: 'verified_email', Priority: 1 },
              { Name: 'verified_email', Priority: 2 },
            ],
          },
        },
      ],
      [
        'a login without passwords',
        'InvalidParameterException',
        { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['WEB_AUTHN'] } } },
      ],
      [
        'a recovery by nobody and by mail',
        'InvalidParameterException',
        {
          AccountRecoverySetting: {
            RecoveryMechanisms: [
              { Priority: 1, Name: 'admin_only' },
              { Priority: 2, Name: 'verified_email' },
            ],
          },
        },
      ],
      [
        'codes as first factor where MFA is required',
        'InvalidParameterException',
        {
          MfaConfiguration: 'ON',
          SmsConfiguration: {},
          Schema: [{ Name: 'x' }],
          Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP'] } },
        },
      ],
      ['tags of AWS', 'UserPoolTaggingException', { UserPoolTags: { 'aws:x': 'y' } }],
    ];
    for (const [what, code, members] of PROMISES) {
      it(`are not created with ${what}, and not changed to it`, async () => {
        const before = await opened.options.store.write((transaction) => transaction.pools.count());
        await assertRefused(made(members), code);
        assert.equal(await opened.options.store.write((transaction) => transaction.pools.count()), before);
        if (members.Schema !== undefined || members.UsernameAttributes !== undefined) return;
        const { Id = '' } = await made();
        const untouched = await describePool(Id);
        await assertRefused(embedded.operations.updateUserPool({ UserPoolId: Id, ...members }, TEST_CALL), code);
        assert.deepEqual(await describePool(Id), untouched);
      });
    }

    it('set their factors and passkeys in a separate call', async () => {
      const { Id: UserPoolId = '' } = await made();
      const set = (members: Omit<Input<'SetUserPoolMfaConfig'>, 'UserPoolId'>) =>
        embedded.operations.setUserPoolMfaConfig({ UserPoolId, ...members }, TEST_CALL);
      const on = { MfaConfiguration: 'ON', SoftwareTokenMfaConfiguration: { Enabled: true } } as const;
      assert.deepEqual(await set(on), on);
      const WebAuthnConfiguration = { RelyingPartyId: 'example.test', UserVerification: 'required' } as const;
      const both = { ...on, WebAuthnConfiguration: { ...WebAuthnConfiguration, FactorConfiguration: 'SINGLE_FACTOR' } };
      assert.deepEqual(await set({ WebAuthnConfiguration }), both);
      assert.deepEqual(await embedded.operations.getUserPoolMfaConfig({ UserPoolId }, TEST_CALL), both);
      const mail = { MfaConfiguration: 'OPTIONAL', EmailMfaConfiguration: { Subject: 'Code' } } as const;
      const { WebAuthnConfiguration: kept, ...mfa } = await set(mail);
      assert.deepEqual([mfa, kept], [mail, both.WebAuthnConfiguration]);
      await assertRefused(
        set({ MfaConfiguration: 'ON' }),
        'InvalidParameterException',
        "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.",
      );
      await assertRefused(set({ WebAuthnConfiguration: { RelyingPartyId: '192.0.2.1' } }), 'InvalidParameterException');
    });

    it('have tags under their ARN, and no other resource does', async () => {
      const { Arn = '' } = await made({ UserPoolTags: { a: '1' } });
      const fetchTags = async (ResourceArn: string) =>
        (await embedded.operations.listTagsForResource({ ResourceArn }, TEST_CALL)).Tags;
      await embedded.operations.tagResource({ ResourceArn: Arn, Tags: { b: '2', c: '3' } }, TEST_CALL);
      await embedded.operations.untagResource({ ResourceArn: Arn, TagKeys: ['a', 'c', 'x'] }, TEST_CALL);
      assert.deepEqual(await fetchTags(Arn), { b: '2' });
      const elsewhere = [
        Arn.replace('us-east-1:', 'eu-west-1:'),
        `${Arn}x`,
        Arn.replace('000000000000', '123456789012'),
      ];
      for (const arn of elsewhere) await assertRefused(fetchTags(arn), 'ResourceNotFoundException');
      const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, '']));
      await assertRefused(
        embedded.operations.tagResource({ ResourceArn: Arn, Tags: many }, TEST_CALL),
        'InvalidParameterException',
      );
    });

    it('are listed page by page, with tokens that cannot be forged', async () => {
      const { Id = '' } = await made();
      const ids: (string | undefined)[] = [];
      let NextToken: string | undefined;
      do {
        const page = await embedded.operations.listUserPools(
          { MaxResults: 3, ...(NextToken && { NextToken }) },
          TEST_CALL,
        );
        ids.push(...(page.UserPools ?? []).map((pool) => pool.Id));
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(ids.includes(Id) && ids.includes(servedId));
      await assertRefused(
        embedded.operations.listUserPools({ MaxResults: 61 }, TEST_CALL),
        'InvalidParameterException',
      );
      await assertRefused(
        embedded.operations.listUserPools({ MaxResults: 3, NextToken: 'made-up' }, TEST_CALL),
        'InvalidParameterException',
      );
    });

    it('are deleted only if they are not protected, and never the served one', async () => {
      const { Id = '' } = await made({ DeletionProtection: 'ACTIVE' });
      const remove = (UserPoolId: string) => embedded.operations.deleteUserPool({ UserPoolId }, TEST_CALL);
      await assertRefused(
        remove(Id),
        'InvalidParameterException',
        'The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first.',
      );
      await embedded.operations.updateUserPool({ UserPoolId: Id, DeletionProtection: 'INACTIVE' }, TEST_CALL);
      await remove(Id);
      await assertRefused(remove(Id), 'ResourceNotFoundException');
      await assertRefused(describePool(Id), 'ResourceNotFoundException');
      assert.equal(await embedded.signingKeys(Id), undefined);
      await assertRefused(remove(servedId), 'InvalidParameterException');
      await assertRefused(
        embedded.operations.deleteUserPoolClient({ UserPoolId: servedId, ClientId: servedClientId }, TEST_CALL),
        'InvalidParameterException',
      );
    });

    it('that are served accept their own settings back, as tools send them', async () => {
      const { operations } = embedded;
      const served = { UserPoolId: servedId };
      const pool = await describePool(servedId);
      const { Id: _id, Name, Arn: _arn, CreationDate: _made, EstimatedNumberOfUsers: _users, ...told } = pool;
      const { SchemaAttributes: _schema, LastModifiedDate: _changed, ...rest } = told;
      const { UsernameAttributes: _names, AliasAttributes: _aliases, UsernameConfiguration: _case, ...members } = rest;
      await operations.updateUserPool({ ...served, ...members, ...(Name && { PoolName: Name }) }, TEST_CALL);
      assert.deepEqual({ ...(await describePool(servedId)), LastModifiedDate: 0 }, { ...pool, LastModifiedDate: 0 });
      const factors = await operations.getUserPoolMfaConfig(served, TEST_CALL);
      assert.deepEqual(await operations.setUserPoolMfaConfig({ ...served, ...factors }, TEST_CALL), factors);
      const { UserPoolClient = {} } = await operations.describeUserPoolClient(
        { ...served, ClientId: servedClientId },
        TEST_CALL,
      );
      const {
        CreationDate: _since,
        LastModifiedDate: _last,
        ClientId: _client,
        UserPoolId: _pool,
        ...settings
      } = UserPoolClient;
      const updated = await operations.updateUserPoolClient(
        { ...served, ClientId: servedClientId, ...settings },
        TEST_CALL,
      );
      assert.deepEqual({ ...updated.UserPoolClient, LastModifiedDate: 0 }, { ...UserPoolClient, LastModifiedDate: 0 });
    });

    it('that are served keep what the configuration sets: another value is refused by name, a missing one keeps it', async () => {
      const update = (members: object) =>
        embedded.operations.updateUserPool({ UserPoolId: servedId, ...members }, TEST_CALL);
      const refusal = await assertRefused(update({ MfaConfiguration: 'OFF' }), 'InvalidParameterException');
      assert.match(refusal.message, /^MfaConfiguration is fixed by the configuration/);
      const recovery = { RecoveryMechanisms: [{ Priority: 1, Name: 'admin_only' }] };
      assert.match(
        (await assertRefused(update({ AccountRecoverySetting: recovery }), 'InvalidParameterException')).message,
        /^AccountRecoverySetting is fixed/,
      );
      await update({ MfaConfiguration: 'OPTIONAL', AutoVerifiedAttributes: ['email'] });
      await update({ AutoVerifiedAttributes: ['email'] });
      const { MfaConfiguration, AccountRecoverySetting, AutoVerifiedAttributes } = await describePool(servedId);
      assert.deepEqual(
        [MfaConfiguration, AccountRecoverySetting?.RecoveryMechanisms, AutoVerifiedAttributes],
        ['OPTIONAL', [{ Priority: 1, Name: 'verified_email' }], ['email']],
      );
      await update({ Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] } } });
      const factors = { UserPoolId: servedId, SoftwareTokenMfaConfiguration: { Enabled: true } };
      assert.match(
        (
          await assertRefused(
            embedded.operations.setUserPoolMfaConfig({ ...factors, MfaConfiguration: 'ON' }, TEST_CALL),
            'InvalidParameterException',
          )
        ).message,
        /^MfaConfiguration is fixed/,
      );
      await assertRefused(
        embedded.operations.setUserPoolMfaConfig({ ...factors, EmailMfaConfiguration: {} }, TEST_CALL),
        'InvalidParameterException',
        'EMAIL_OTP cannot be a second factor while passwords are recovered by verified_email.',
      );
      const client = { UserPoolId: servedId, ClientId: servedClientId };
      const life = await assertRefused(
        embedded.operations.updateUserPoolClient({ ...client, AuthSessionValidity: 15 }, TEST_CALL),
        'InvalidParameterException',
      );
      assert.match(life.message, /^AuthSessionValidity is fixed/);
      await embedded.setUp({ mfaConfiguration: 'OPTIONAL' });
    });

    it('record every change with its actor, and no refused one', async () => {
      const { Id: UserPoolId = '', Arn: ResourceArn = '' } = await made();
      const call = { ...TEST_CALL, actor: { kind: 'admin', id: 'key' } } as const;
      const { operations } = embedded;
      const { UserPoolClient } = await operations.createUserPoolClient(
        { UserPoolId, ClientName: 'a', GenerateSecret: true },
        call,
      );
      const of = { UserPoolId, ClientId: UserPoolClient?.ClientId ?? '' };
      await operations.updateUserPool({ UserPoolId }, call);
      await assertRefused(
        operations.updateUserPool({ UserPoolId, MfaConfiguration: 'ON' }, call),
        'InvalidParameterException',
      );
      await operations.addCustomAttributes(
        { UserPoolId, CustomAttributes: [{ Name: 'x', AttributeDataType: 'String' }] },
        call,
      );
      await operations.setUserPoolMfaConfig({ UserPoolId, MfaConfiguration: 'OFF' }, call);
      await operations.tagResource({ ResourceArn, Tags: { a: 'b' } }, call);
      await operations.updateUserPoolClient(of, call);
      const { ClientSecretDescriptor } = await operations.addUserPoolClientSecret(of, call);
      const ClientSecretId = ClientSecretDescriptor?.ClientSecretId ?? '';
      await operations.deleteUserPoolClientSecret({ ...of, ClientSecretId }, call);
      await operations.deleteUserPoolClient(of, call);
      await operations.deleteUserPool({ UserPoolId }, call);
      const { rows } = await opened.records.events.page({ userPoolId: UserPoolId }, 100, undefined);
      assert.deepEqual(new Set(rows.map(({ type }) => type)), new Set(['pool.updated']));
      assert.deepEqual(rows.map(({ details, actor }) => `${details.what} ${actor.id}`).toSorted(), [
        'client key',
        'client_deleted key',
        'client_made key',
        'client_secret_deleted key',
        'client_secret_made key',
        'factors key',
        'pool_deleted key',
        'pool_made null',
        'schema key',
        'settings key',
        'tags key',
      ]);
      assert.ok(!JSON.stringify(rows).includes(UserPoolClient?.ClientSecret ?? '?'));
    });

    it('are missing without a fault for a replica that still caches them', async () => {
      const { Id: UserPoolId = '' } = await made({ UsernameAttributes: ['email'] });
      const replica = createPool(opened.options);
      const { UserPoolClient } = await embedded.operations.createUserPoolClient(
        { UserPoolId, ClientName: 'app' },
        TEST_CALL,
      );
      const ClientId = UserPoolClient?.ClientId ?? '';
      const eve = { Username: 'eve@example.test', Password: 'Correct-Horse1!' };
      const signUp = (Password: string) => replica.operations.signUp({ ClientId, ...eve, Password }, TEST_CALL);
      await assertRefused(signUp('x'), 'InvalidPasswordException');
      await embedded.operations.deleteUserPool({ UserPoolId }, TEST_CALL);
      await assertRefused(signUp(eve.Password), 'ResourceNotFoundException');
      const group = { UserPoolId, GroupName: 'g' };
      await assertRefused(replica.operations.createGroup(group, TEST_CALL), 'ResourceNotFoundException');
      await assertRefused(
        replica.operations.adminCreateUser({ UserPoolId, Username: eve.Username }, TEST_CALL),
        'ResourceNotFoundException',
      );
    });

    it('are visible to another replica within seconds', async () => {
      const { Id: UserPoolId = '' } = await made({ UsernameAttributes: ['email'] });
      const replica = createPool(opened.options);
      const { UserPoolClient } = await embedded.operations.createUserPoolClient(
        { UserPoolId, ClientName: 'app' },
        TEST_CALL,
      );
      const signUp = () =>
        replica.operations.signUp(
          { ClientId: UserPoolClient?.ClientId ?? '', Username: 'eve@example.test', Password: 'Correct-Horse1!' },
          TEST_CALL,
        );
      await assertRefused(
        replica.operations.signUp(
          { ClientId: UserPoolClient?.ClientId ?? '', Username: 'eve@example.test', Password: 'x' },
          TEST_CALL,
        ),
        'InvalidPasswordException',
      );
      await embedded.operations.updateUserPool(
        { UserPoolId, AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } },
        TEST_CALL,
      );
      opened.clock.advance(3_001);
      await assertRefused(signUp(), 'NotAuthorizedException', 'SignUp is not permitted for this user pool');
      await embedded.operations.deleteUserPool({ UserPoolId }, TEST_CALL);
      opened.clock.advance(3_001);
      await assertRefused(signUp(), 'ResourceNotFoundException');
    });
  });
});
