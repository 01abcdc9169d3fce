// biome-ignore-all lint/correctness/noUndeclaredDependencies: they are installed only for the proof
import { AmplifyAuth } from '@aws-amplify/auth-construct';
import { App, Duration, SecretValue, Stack } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

/** Synthesizes a stack for each variation: node cdk-app.mjs <folder for the assembly>. */
const app = new App({ outdir: process.argv[2], analyticsReporting: false });

/** One stack with one pool for each variation of a pool. */
const POOLS = {
  Default: {},
  Named: { userPoolName: 'named' },
  SelfSignUp: {
    selfSignUpEnabled: true,
    userVerification: {
      emailSubject: 'Subject',
      emailBody: 'Code {####}',
      emailStyle: cognito.VerificationEmailStyle.CODE,
    },
  },
  LinkStyle: { userVerification: { emailBody: 'Go {##here##}', emailStyle: cognito.VerificationEmailStyle.LINK } },
  SmsMessage: { userVerification: { smsMessage: 'Your {####}' } },
  Invitation: {
    userInvitation: { emailSubject: 'Hi', emailBody: '{username} {####}', smsMessage: '{username} {####}' },
  },
  EmailAlias: { signInAliases: { email: true } },
  PhoneAlias: { signInAliases: { phone: true }, enableSmsRole: true },
  UsernameAndEmail: { signInAliases: { username: true, email: true } },
  Preferred: { signInAliases: { username: true, preferredUsername: true } },
  CaseSensitive: { signInCaseSensitive: true },
  AutoVerify: { autoVerify: { email: true, phone: true } },
  KeepOriginal: { signInAliases: { email: true, phone: true }, keepOriginal: { email: true, phone: true } },
  StandardAttributes: {
    standardAttributes: {
      fullname: { required: true, mutable: true },
      address: { required: false, mutable: false },
      birthdate: { required: true },
    },
  },
  CustomAttributes: {
    customAttributes: {
      text: new cognito.StringAttribute({ minLen: 5, maxLen: 15, mutable: false }),
      number: new cognito.NumberAttribute({ min: 1, max: 3, mutable: true }),
      flag: new cognito.BooleanAttribute({ mutable: true }),
      since: new cognito.DateTimeAttribute(),
    },
  },
  MfaOptional: { mfa: cognito.Mfa.OPTIONAL, mfaSecondFactor: { sms: false, otp: true } },
  MfaRequired: { mfa: cognito.Mfa.REQUIRED, mfaSecondFactor: { sms: true, otp: true } },
  MfaOff: { mfa: cognito.Mfa.OFF },
  MfaEmail: {
    mfa: cognito.Mfa.OPTIONAL,
    mfaSecondFactor: { sms: false, otp: false, email: true },
    featurePlan: cognito.FeaturePlan.ESSENTIALS,
    email: cognito.UserPoolEmail.withSES({ fromEmail: 'no@example.com', sesRegion: 'us-east-1' }),
  },
  MfaMessage: { mfa: cognito.Mfa.OPTIONAL, mfaMessage: 'Code {####}' },
  PasswordPolicy: {
    passwordPolicy: {
      minLength: 12,
      requireLowercase: true,
      requireUppercase: false,
      requireDigits: true,
      requireSymbols: false,
      tempPasswordValidity: Duration.days(3),
    },
  },
  PasswordHistory: { passwordPolicy: { passwordHistorySize: 4 } },
  RecoveryEmail: { accountRecovery: cognito.AccountRecovery.EMAIL_ONLY },
  RecoveryPhoneAndEmail: { accountRecovery: cognito.AccountRecovery.PHONE_AND_EMAIL },
  RecoveryNone: { accountRecovery: cognito.AccountRecovery.NONE },
  DeviceOptIn: { deviceTracking: { challengeRequiredOnNewDevice: true, deviceOnlyRememberedOnUserPrompt: true } },
  DeviceAlways: { deviceTracking: { challengeRequiredOnNewDevice: false, deviceOnlyRememberedOnUserPrompt: false } },
  EmailCognito: { email: cognito.UserPoolEmail.withCognito('reply@example.com') },
  EmailSes: {
    email: cognito.UserPoolEmail.withSES({
      fromEmail: 'from@example.com',
      fromName: 'Shop',
      replyTo: 'reply@example.com',
      sesRegion: 'us-east-1',
      configurationSetName: 'set',
    }),
  },
  Protected: { deletionProtection: true },
  Lite: { featurePlan: cognito.FeaturePlan.LITE },
  Plus: {
    featurePlan: cognito.FeaturePlan.PLUS,
    standardThreatProtectionMode: cognito.StandardThreatProtectionMode.AUDIT_ONLY,
  },
  Threats: {
    featurePlan: cognito.FeaturePlan.PLUS,
    standardThreatProtectionMode: cognito.StandardThreatProtectionMode.FULL_FUNCTION,
    customThreatProtectionMode: cognito.CustomThreatProtectionMode.AUDIT_ONLY,
  },
  PolicyPasskeys: {
    signInPolicy: { allowedFirstAuthFactors: { password: true, passkey: true } },
    passkeyRelyingPartyId: 'auth.example.com',
    passkeyUserVerification: cognito.PasskeyUserVerification.REQUIRED,
  },
  PolicyCodes: { signInPolicy: { allowedFirstAuthFactors: { password: true, emailOtp: true, smsOtp: true } } },
};

for (const [name, props] of Object.entries(POOLS)) {
  const stack = new Stack(app, `Pool${name}`, { env: { account: '123456789012', region: 'us-east-1' } });
  new cognito.UserPool(stack, 'Pool', props);
}

/** One stack with a pool and what belongs to it for each variation of the others. */
const flows = { userPassword: true, userSrp: true, custom: true, adminUserPassword: true, user: true };
const PARTS = {
  ClientDefault: (pool) => pool.addClient('Client'),
  ClientAll: (pool) =>
    pool.addClient('Client', {
      userPoolClientName: 'all',
      generateSecret: true,
      authFlows: flows,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      accessTokenValidity: Duration.minutes(30),
      idTokenValidity: Duration.minutes(40),
      refreshTokenValidity: Duration.days(5),
      authSessionValidity: Duration.minutes(5),
      readAttributes: new cognito.ClientAttributes()
        .withStandardAttributes({ email: true, fullname: true })
        .withCustomAttributes('text'),
      writeAttributes: new cognito.ClientAttributes().withStandardAttributes({ fullname: true }),
      refreshTokenRotationGracePeriod: Duration.seconds(20),
    }),
  ClientCodeGrant: (pool) =>
    pool.addClient('Client', {
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [
          cognito.OAuthScope.OPENID,
          cognito.OAuthScope.EMAIL,
          cognito.OAuthScope.PROFILE,
          cognito.OAuthScope.PHONE,
          cognito.OAuthScope.COGNITO_ADMIN,
        ],
        callbackUrls: ['https://example.com/callback'],
        logoutUrls: ['https://example.com'],
        defaultRedirectUri: 'https://example.com/callback',
      },
    }),
  ClientImplicit: (pool) =>
    pool.addClient('Client', {
      oAuth: { flows: { implicitCodeGrant: true }, callbackUrls: ['https://example.com/callback'] },
    }),
  ClientMachine: (pool) => {
    const read = new cognito.ResourceServerScope({ scopeName: 'read', scopeDescription: 'Read' });
    const server = pool.addResourceServer('Orders', {
      identifier: 'orders',
      userPoolResourceServerName: 'Orders',
      scopes: [read],
    });
    pool.addClient('Client', {
      generateSecret: true,
      oAuth: { flows: { clientCredentials: true }, scopes: [cognito.OAuthScope.resourceServer(server, read)] },
    });
  },
  ClientNoOAuth: (pool) =>
    pool.addClient('Client', {
      disableOAuth: true,
      supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.COGNITO],
    }),
  ClientSecretRead: (pool, stack) => {
    const client = pool.addClient('Client', { generateSecret: true });
    stack.exportValue(client.userPoolClientId);
  },
  Domain: (pool) =>
    pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: 'prefix-shop' },
      managedLoginVersion: cognito.ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    }),
  Group: (pool) => pool.addGroup('Group', { groupName: 'crew', description: 'Crew', precedence: 2 }),
  GroupDefault: (pool) => pool.addGroup('Group', {}),
  Google: (pool, stack) => {
    const provider = new cognito.UserPoolIdentityProviderGoogle(stack, 'Google', {
      userPool: pool,
      clientId: 'id',
      clientSecretValue: SecretValue.unsafePlainText('secret'),
      scopes: ['openid', 'email'],
      attributeMapping: { email: cognito.ProviderAttribute.GOOGLE_EMAIL },
    });
    pool.addClient('Client').node.addDependency(provider);
  },
  Facebook: (pool, stack) =>
    new cognito.UserPoolIdentityProviderFacebook(stack, 'Facebook', {
      userPool: pool,
      clientId: 'id',
      clientSecret: 'secret',
      attributeMapping: { fullname: cognito.ProviderAttribute.FACEBOOK_NAME },
    }),
  Amazon: (pool, stack) =>
    new cognito.UserPoolIdentityProviderAmazon(stack, 'Amazon', {
      userPool: pool,
      clientId: 'amzn',
      clientSecret: 'secret',
    }),
  Oidc: (pool, stack) =>
    new cognito.UserPoolIdentityProviderOidc(stack, 'Oidc', {
      userPool: pool,
      name: 'Corp',
      clientId: 'id',
      clientSecret: 'secret',
      issuerUrl: 'https://idp.example.com',
      identifiers: ['corp'],
      scopes: ['openid'],
      attributeMapping: { email: cognito.ProviderAttribute.other('email') },
      endpoints: {
        authorization: 'https://idp.example.com/a',
        token: 'https://idp.example.com/t',
        userInfo: 'https://idp.example.com/u',
        jwksUri: 'https://idp.example.com/j',
      },
    }),
  Triggers: (pool, stack) => {
    const code = new LambdaFunction(stack, 'OnSignUp', {
      runtime: Runtime.NODEJS_22_X,
      handler: 'index.handler',
      code: Code.fromInline('exports.handler = async (e) => e;'),
    });
    for (const name of [
      'CREATE_AUTH_CHALLENGE',
      'CUSTOM_MESSAGE',
      'DEFINE_AUTH_CHALLENGE',
      'POST_AUTHENTICATION',
      'POST_CONFIRMATION',
      'PRE_AUTHENTICATION',
      'PRE_SIGN_UP',
      'PRE_TOKEN_GENERATION',
      'USER_MIGRATION',
      'VERIFY_AUTH_CHALLENGE_RESPONSE',
    ])
      pool.addTrigger(cognito.UserPoolOperation[name], code);
  },
  User: (pool, stack) => {
    const user = new cognito.CfnUserPoolUser(stack, 'Ada', {
      userPoolId: pool.userPoolId,
      username: 'ada',
      messageAction: 'SUPPRESS',
      userAttributes: [{ name: 'email', value: 'ada@example.com' }],
    });
    const group = pool.addGroup('Crew', { groupName: 'crew' });
    new cognito.CfnUserPoolUserToGroupAttachment(stack, 'AdaInCrew', {
      userPoolId: pool.userPoolId,
      username: user.ref,
      groupName: group.groupName,
    });
  },
};
for (const [name, add] of Object.entries(PARTS)) {
  const stack = new Stack(app, `Part${name}`, { env: { account: '123456789012', region: 'us-east-1' } });
  const pool = new cognito.UserPool(stack, 'Pool', {
    customAttributes: { text: new cognito.StringAttribute({ mutable: true }) },
  });
  add(pool, stack);
}
/** `defineAuth` of Amplify creates this construct. */
const AMPLIFY = {
  Email: { loginWith: { email: true } },
  EmailAndPhone: { loginWith: { email: { verificationEmailSubject: 'Welcome' }, phone: true } },
  Mfa: { loginWith: { email: true }, multifactor: { mode: 'OPTIONAL', totp: true } },
  Attributes: {
    loginWith: { email: true },
    userAttributes: {
      nickname: { required: false, mutable: true },
      'custom:plan': { dataType: 'String', mutable: true },
    },
    accountRecovery: 'EMAIL_ONLY',
    groups: ['ADMINS', 'EDITORS'],
  },
  Providers: {
    loginWith: {
      email: true,
      externalProviders: {
        google: { clientId: 'id', clientSecret: SecretValue.unsafePlainText('secret'), scopes: ['email'] },
        oidc: [{ name: 'Corp', clientId: 'id', clientSecret: 'secret', issuerUrl: 'https://idp.example.com' }],
        domainPrefix: 'amplify-shop',
        callbackUrls: ['https://example.com/callback'],
        logoutUrls: ['https://example.com'],
      },
    },
  },
};
for (const [name, props] of Object.entries(AMPLIFY)) {
  const stack = new Stack(app, `Amplify${name}`, { env: { account: '123456789012', region: 'us-east-1' } });
  new AmplifyAuth(stack, 'Auth', props);
}
app.synth();
