import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { snsSender } from './sns.ts';
import { type HttpStub, httpReceiver, type Posted } from './testing/http-receiver.ts';
import { senderContract } from './testing/sender-contract.ts';

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';

const ERRORS = {
  later: { status: 400, type: 'Sender', code: 'Throttling' },
  never: { status: 400, type: 'Sender', code: 'InvalidParameter' },
} as const;

/** The answers of SNS's query protocol. @see https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
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

function formOf({ body }: Posted): URLSearchParams {
  const form = new URLSearchParams(body);
  assert.equal(form.get('Action'), 'Publish');
  return form;
}

const double: HttpStub = {
  read(posted) {
    const form = formOf(posted);
    return { to: [form.get('PhoneNumber') ?? ''], text: form.get('Message') ?? '' };
  },
  reply,
};

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' } };

senderContract({
  name: 'SNS',
  channel: 'sms',
  recipient: '+15551230001',
  impostors: ['+15551230001,+15559990002', 'arn:aws:sns:us-east-1:123456789012:all', '15551230001', '+'],
  canFail: true,
  async open(context) {
    const { url: endpoint, arrivals, receiver } = await httpReceiver(context, double);
    return { sender: await snsSender({ ...SETTINGS, endpoint }), arrivals, receiver };
  },
});

test('SNS is asked as a transactional message, signed for its region, once a send', async (context) => {
  const posted: Posted[] = [];
  const { url: endpoint } = await httpReceiver(context, {
    read(request) {
      posted.push(request);
      return double.read(request);
    },
    reply: (_, response) => reply('later', response),
  });
  const sender = await snsSender({ ...SETTINGS, endpoint });
  const message = {
    id: 'm',
    channel: 'sms',
    to: '+15551230001',
    subject: '',
    text: 'x',
    html: undefined,
    code: undefined,
  } as const;
  await assert.rejects(sender.send(message, new AbortController().signal), { code: 'sns_throttling' });
  assert.equal(posted.length, 1, 'the queue tries again, not the SDK');
  const [request] = posted;
  assert.ok(request);
  assert.match(
    request.headers.authorization ?? '',
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/sns\/aws4_request/,
  );
  const form = formOf(request);
  assert.equal(form.get('MessageAttributes.entry.1.Name'), 'AWS.SNS.SMS.SMSType');
  assert.equal(form.get('MessageAttributes.entry.1.Value.StringValue'), 'Transactional');
});
