import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Channel, type Message, type Sender, SendFailure } from '@poolgate/pool';

/** The message that a sender's receiver got. */
export interface ReceivedMessage {
  readonly to: readonly string[];
  readonly text: string;
}

/** How the other side responds. `silence`: it accepts the message, and never confirms it. */
export type ReceiverBehavior = 'accept' | 'later' | 'never' | 'silence';

/** A sender and a real receiver of its messages. */
interface SenderUnderTest {
  readonly sender: Sender;
  /** The accepted messages. */
  arrivals(): readonly ReceivedMessage[];
  readonly receiver: MessageReceiver | undefined;
}

/** The other side of a sender that can fail. */
export interface MessageReceiver {
  answer(answer: ReceiverBehavior): void;
  /** Resolves when the receiver gets the next message. */
  taken(): Promise<void>;
  /** Stops listening from now on. */
  stop(): Promise<void>;
}

/** One kind of sender, for the contract. */
export interface SenderKind {
  readonly name: string;
  readonly channel: Channel;
  readonly recipient: string;
  /** Texts that look like one recipient and are more, or another one. */
  readonly invalidRecipients: readonly string[];
  /** False if nothing leaves the process. */
  readonly canFail: boolean;
  open(context: TestContext): Promise<SenderUnderTest>;
}

const NEVER = new AbortController().signal;

const TEXT = 'Ihr Code lautet 123456 – grüßen Sie „uns“\n.\nBcc: eve@example.com\n\n😀 <b>{username}</b> %0d%0a';

async function requireSendFailure(sending: Promise<void>): Promise<SendFailure> {
  const error = await sending.then(() => undefined).catch((reason: unknown) => reason);
  assert.ok(error instanceof SendFailure, `not a SendFailure: ${String(error)}`);
  return error;
}

/** Everything that a log could show of an error. */
function collectErrorText(error: Error): string {
  const causes: unknown[] = [];
  for (let next: unknown = error; next !== undefined && causes.length < 5; next = (next as Error).cause)
    causes.push(next);
  return causes.map((cause) => `${String(cause)} ${(cause as Error).stack} ${JSON.stringify(cause)}`).join('\n');
}

/** Tests the requirements for every sender with a real receiver. */
export function testSenderContract({ name, channel, recipient, invalidRecipients, canFail, open }: SenderKind): void {
  const messageTo = (to: string, text = TEXT): Message => ({
    id: crypto.randomUUID(),
    channel,
    to,
    subject: 'Your code\r\nBcc: eve@example.com',
    text,
    html: channel === 'email' ? `<p>${text}</p>` : undefined,
    code: '123456',
  });

  describe(`the ${name} sender`, () => {
    it('delivers a message once, only to the recipient, with its text unchanged', async (context) => {
      const { sender, arrivals } = await open(context);
      await sender.send(messageTo(recipient), NEVER);
      assert.deepEqual(arrivals(), [{ to: [recipient], text: TEXT }]);
    });

    it('delivers many in parallel, each once', async (context) => {
      const { sender, arrivals } = await open(context);
      const texts = Array.from({ length: 20 }, (_, index) => `Your code is 9000${index + 10}`);
      await Promise.all(texts.map((text) => sender.send(messageTo(recipient, text), NEVER)));
      assert.deepEqual(
        arrivals()
          .map(({ text }) => text)
          .sort(),
        texts,
      );
    });

    for (const to of invalidRecipients) {
      it(`sends nothing to ${JSON.stringify(to)}`, async (context) => {
        const { sender, arrivals } = await open(context);
        const failure = await requireSendFailure(sender.send(messageTo(to), NEVER));
        assert.equal(failure.outcome, 'refused');
        assert.deepEqual(arrivals(), []);
      });
    }

    if (!canFail) return;
    const rows = [
      { answer: 'later', outcome: 'retry' },
      { answer: 'never', outcome: 'refused' },
    ] as const;
    for (const { answer, outcome } of rows) {
      it(`returns ${outcome} if the receiver answers ${answer}, and nothing of the message`, async (context) => {
        const { sender, arrivals, receiver } = await open(context);
        assert.ok(receiver);
        receiver.answer(answer);
        const failure = await requireSendFailure(sender.send(messageTo(recipient), NEVER));
        assert.equal(failure.outcome, outcome, failure.code);
        for (const secret of [recipient, '123456', 'eve@'])
          assert.ok(!collectErrorText(failure).includes(secret), secret);
        assert.deepEqual(arrivals(), []);
        receiver.answer('accept');
        await sender.send(messageTo(recipient), NEVER);
        assert.equal(arrivals().length, 1);
      });
    }

    it('returns retry if nothing listens', async (context) => {
      const { sender, receiver } = await open(context);
      assert.ok(receiver);
      await receiver.stop();
      assert.equal((await requireSendFailure(sender.send(messageTo(recipient), NEVER))).outcome, 'retry');
    });

    it('returns unknown if the message was sent without a response', async (context) => {
      const { sender, receiver } = await open(context);
      assert.ok(receiver);
      receiver.answer('silence');
      const abort = new AbortController();
      const taken = receiver.taken();
      const sending = requireSendFailure(sender.send(messageTo(recipient), abort.signal));
      await taken;
      abort.abort();
      assert.equal((await sending).outcome, 'unknown');
    });
  });
}
