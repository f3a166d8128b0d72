import type { DefinitionsOf, EventOf } from '../event.ts';

/** The very first event of a log: it names the log for ever. */
export type LogOpened = EventOf<'LogOpened', { readonly logId: string; readonly leafVersion: 1 }>;

export type LogEvent = LogOpened;

export const logEvents: DefinitionsOf<LogEvent> = {
  LogOpened: { schema: 1, clear: ['logId', 'leafVersion'] },
};
