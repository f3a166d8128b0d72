import type { DefinitionsOf, EventOf } from '../event.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';

/**
 * A time-stamping authority confirmed that an anchored checkpoint existed at a time. `time` is the
 * token's (ISO 8601). `token` is the time-stamp token of RFC 3161 in DER, in base64, as the authority
 * sent it. It is of the SHA-256 of the checkpoint's text (`checkpointText`). `authority` is the subject
 * of the certificate that signed the token.
 */
export type CheckpointTimestamped = EventOf<
  'CheckpointTimestamped',
  CheckpointMemo & { readonly authority: string; readonly time: string; readonly token: string }
>;

export type TimestampEvent = CheckpointTimestamped;

export const timestampEvents: DefinitionsOf<TimestampEvent> = {
  CheckpointTimestamped: {
    schema: 1,
    clear: ['origin', 'size', 'rootHash', 'authority', 'time', 'token'],
  },
};
