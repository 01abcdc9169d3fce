import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as aws from '@aws-sdk/client-cognito-identity-provider';
import { type ClientService, startClientService } from '../support/clients/client-service.ts';
import { createSdkClient } from '../support/clients/sdk-client.ts';

const PASSWORD = 'Correct-Horse1!';
const EMAIL = 'ada@example.test';

describe('the unmodified AWS SDK sets the texts of messages', () => {
  let service: ClientService;
  let client: aws.CognitoIdentityProviderClient;
  before(async () => {
    service = await startClientService();
    ({ client } = createSdkClient(service));
  });
  after(async () => {
    client.destroy();
    await service.close();
  });

  const update = (members: Omit<aws.UpdateUserPoolCommandInput, 'UserPoolId'>) =>
    client.send(
      new aws.UpdateUserPoolCommand({ UserPoolId: service.userPoolId, AutoVerifiedAttributes: ['email'], ...members }),
    );

  it('in templates that the next message follows, and reads them back unchanged', async () => {
    const VerificationMessageTemplate = {
      DefaultEmailOption: 'CONFIRM_WITH_CODE',
      EmailSubject: 'Welcome',
      EmailMessage: '<p>Hello {username}, type <b>{####}</b></p>',
    } as const;
    const InviteMessageTemplate = { EmailSubject: 'Come in', EmailMessage: '{username} / {####}' };
    await update({ VerificationMessageTemplate, AdminCreateUserConfig: { InviteMessageTemplate } });
    const described = await client.send(new aws.DescribeUserPoolCommand({ UserPoolId: service.userPoolId }));
    assert.deepEqual(described.UserPool?.VerificationMessageTemplate, VerificationMessageTemplate);
    assert.deepEqual(described.UserPool?.AdminCreateUserConfig?.InviteMessageTemplate, InviteMessageTemplate);
    await client.send(new aws.SignUpCommand({ ClientId: service.clientId, Username: EMAIL, Password: PASSWORD }));
    const [signedUp] = service.outbox?.list(EMAIL) ?? [];
    assert.equal(signedUp?.subject, 'Welcome');
    assert.equal(signedUp?.text, `Hello ${EMAIL}, type ${signedUp?.code}`);
    const invited = 'bob@example.test';
    const TemporaryPassword = 'Temporary-1!x';
    await client.send(
      new aws.AdminCreateUserCommand({
        UserPoolId: service.userPoolId,
        Username: invited,
        TemporaryPassword,
        UserAttributes: [{ Name: 'email', Value: invited }],
      }),
    );
    const [invitation] = service.outbox?.list(invited) ?? [];
    assert.deepEqual([invitation?.subject, invitation?.text], ['Come in', `${invited} / ${TemporaryPassword}`]);
  });

  it("and gets Cognito's errors: no placeholder, too short, too long", async () => {
    const refused: readonly Omit<aws.UpdateUserPoolCommandInput, 'UserPoolId'>[] = [
      { SmsVerificationMessage: 'no place' },
      { SmsVerificationMessage: `{####}${'x'.repeat(135)}` },
      { SmsAuthenticationMessage: 'no place' },
      { EmailVerificationMessage: 'no place' },
      { EmailVerificationMessage: `{####}${'x'.repeat(20_000)}` },
      { EmailVerificationSubject: 'x'.repeat(141) },
      { VerificationMessageTemplate: { EmailMessage: 'no place' } },
      { VerificationMessageTemplate: { EmailSubject: '' } },
      { VerificationMessageTemplate: { SmsMessage: 'no place' } },
      { VerificationMessageTemplate: { EmailMessageByLink: 'a code {####}' } },
      { AdminCreateUserConfig: { InviteMessageTemplate: { EmailMessage: 'short' } } },
      { AdminCreateUserConfig: { InviteMessageTemplate: { SMSMessage: `{####}${'x'.repeat(135)}` } } },
    ];
    for (const members of refused) {
      await assert.rejects(
        update(members),
        { name: 'InvalidParameterException' },
        JSON.stringify(members).slice(0, 99),
      );
    }
    const mfa = (EmailMfaConfiguration: aws.EmailMfaConfigType) =>
      client.send(
        new aws.SetUserPoolMfaConfigCommand({
          UserPoolId: service.userPoolId,
          MfaConfiguration: 'OPTIONAL',
          SoftwareTokenMfaConfiguration: { Enabled: true },
          EmailMfaConfiguration,
        }),
      );
    await assert.rejects(mfa({ Message: 'no place' }), { name: 'InvalidParameterException' });
  });
});
