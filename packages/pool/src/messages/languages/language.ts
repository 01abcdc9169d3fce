import type { MessageKind, MessageTemplate } from '../../settings.ts';

/** The texts of one language. */
export type Language = Readonly<Record<MessageKind, MessageTemplate>>;
