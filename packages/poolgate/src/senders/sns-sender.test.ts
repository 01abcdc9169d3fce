import assert from 'node:assert/strict';
import dns from 'node:dns';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Message, SendFailure } from '@poolgate/pool';
import { createSnsSender } from './sns-sender.ts';
import { type HttpReceiverBehavior, type ReceivedRequest, startHttpReceiver } from './testing/http-receiver.ts';
import { testSenderContract } from './testing/sender-contract.ts';

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';

const ERRORS = {
  later: { status: 400, type: 'Sender', code: 'Throttling' },
  never: { status: 400, type: 'Sender', code: 'InvalidParameter' },
} as const;

/** The responses of SNS's query protocol. @see https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
function reply(answer: 'accept' | 'later' | 'never', response: ServerResponse): void {
  response.setHeader('content-type', 'text/xml');
  if (answer === 'accept') {
    response.end(
      `<PublishResponse xmlns="${NAMESPACE}"><PublishResult><MessageId>567910cd-659e-55d4-8ccb-5aaf14679dc0</MessageId></PublishResult>` +
        '<ResponseMetadata><RequestId>d74b8436-ae13-5ab4-a9ff-ce54dfea72a0</RequestId></ResponseMetadata></PublishResponse>',
    );
    return;
  }
  const { status, type, code } = ERRORS[answer];
  response
    .writeHead(status)
    .end(
      `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${type}</Type><Code>${code}</Code>` +
        '<Message>about +15551230001: eve@</Message></Error><RequestId>d74b8436-ae13-5ab4-a9ff-ce54dfea72a0</RequestId></ErrorResponse>',
    );
}

function parseForm({ body }: ReceivedRequest): URLSearchParams {
  const form = new URLSearchParams(body);
  assert.equal(form.get('Action'), 'Publish');
  return form;
}

const double: HttpReceiverBehavior = {
  read(posted) {
    const form = parseForm(posted);
    return { to: [form.get('PhoneNumber') ?? ''], text: form.get('Message') ?? '' };
  },
  reply,
};

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' } };

testSenderContract({
  name: 'SNS',
  channel: 'sms',
  recipient: '+15551230001',
  invalidRecipients: ['+15551230001,+15559990002', 'arn:aws:sns:us-east-1:123456789012:all', '15551230001', '+'],
  canFail: true,
  async open(context) {
    const { url: endpoint, arrivals, receiver } = await startHttpReceiver(context, double);
    return { sender: await createSnsSender({ ...SETTINGS, endpoint }), arrivals, receiver };
  },
});

const NEVER = new AbortController().signal;

const MESSAGE: Message = {
  id: 'm',
  channel: 'sms',
  to: '+15551230001',
  subject: '',
  text: 'x',
  html: undefined,
  code: undefined,
};

test('SNS is called once per message, as transactional, signed for its region', async (context) => {
  const posted: ReceivedRequest[] = [];
  const { url: endpoint } = await startHttpReceiver(context, {
    read(request) {
      posted.push(request);
      return double.read(request);
    },
    reply: (_, response) => reply('later', response),
  });
  const sender = await createSnsSender({ ...SETTINGS, endpoint });
  await assert.rejects(sender.send(MESSAGE, NEVER), { code: 'sns_throttling' });
  assert.equal(posted.length, 1, 'the queue tries again, not the SDK');
  const [request] = posted;
  assert.ok(request);
  assert.match(
    request.headers.authorization ?? '',
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/sns\/aws4_request/,
  );
  const form = parseForm(request);
  assert.equal(form.get('MessageAttributes.entry.1.Name'), 'AWS.SNS.SMS.SMSType');
  assert.equal(form.get('MessageAttributes.entry.1.Value.StringValue'), 'Transactional');
});

test('an SNS refusal has a name of up to forty characters, and without credentials nothing is sent', async (context) => {
  let code = '';
  const { url: endpoint } = await startHttpReceiver(context, {
    read: double.read,
    reply: (_, response) =>
      response
        .writeHead(400)
        .end(
          `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code></Error></ErrorResponse>`,
        ),
  });
  const sender = await createSnsSender({ ...SETTINGS, endpoint });
  for (const [name, shown, outcome] of [
    ['Odd.Code--X', 'sns_odd_code_x', 'retry'],
    ['A'.repeat(41), `sns_${'a'.repeat(40)}`, 'retry'],
    ['OptedOut', 'sns_optedoutexception', 'refused'],
  ] as const) {
    code = name;
    await assert.rejects(sender.send(MESSAGE, NEVER), { code: shown, outcome });
  }
  const credentials = async () => {
    throw Object.assign(new Error('none'), { name: 'CredentialsProviderError' });
  };
  const anonymous = await createSnsSender({ ...SETTINGS, endpoint, credentials });
  await assert.rejects(anonymous.send(MESSAGE, NEVER), { code: 'sns_credentialsprovidererror', outcome: 'retry' });
});

test('SNS has five seconds for the connection, and ten for its response', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { url, receiver } = await startHttpReceiver(context, double);
  receiver.answer('silence');
  const { promise: isLookedUp, resolve } = Promise.withResolvers<void>();
  context.mock.method(dns, 'lookup', () => resolve());
  for (const [endpoint, isUnderWay, ms] of [
    ['http://sns.example', isLookedUp, 5_000],
    [url, receiver.taken(), 10_000],
  ] as const) {
    const sender = await createSnsSender({ ...SETTINGS, endpoint });
    const failures: SendFailure[] = [];
    const sending = sender.send(MESSAGE, NEVER).catch((error: SendFailure) => {
      failures.push(error);
    });
    await isUnderWay;
    for (const part of [1_000, ms - 1_001]) context.mock.timers.tick(part);
    await turn();
    assert.deepEqual(failures, []);
    context.mock.timers.tick(1);
    await sending;
    assert.deepEqual(
      failures.map(({ code, outcome }) => [code, outcome]),
      [['sns_timeouterror', 'unknown']],
    );
  }
});
