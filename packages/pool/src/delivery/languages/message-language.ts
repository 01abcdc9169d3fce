import type { MessageKind, MessageTemplate } from '../../store/pool-and-client-settings.ts';

/** The texts of one language. */
export type Language = Readonly<Record<MessageKind, MessageTemplate>>;
