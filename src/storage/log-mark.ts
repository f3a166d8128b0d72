import { z } from 'zod';

/** Identifies the log that names the blobs of a storage, and its last known position. */
export interface LogMark {
  readonly logId: string;
  /** Position of an event in that log. */
  readonly position: number;
  /** Id of the event at `position`. A log continued from an older copy has another event there. */
  readonly eventId: string;
}

/** Name of the mark, beside the folders of organisations. No blob or organisation has this name. */
export const logMarkName = 'log.json';

const schema = z.object({ logId: z.string(), position: z.int().min(1), eventId: z.string() });

export function formatLogMark({ logId, position, eventId }: LogMark): string {
  return `${JSON.stringify({ logId, position, eventId })}\n`;
}

/** Throws on an invalid mark, which must not count as missing. */
export function parseLogMark(text: string): LogMark {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(
      `${logMarkName} in the file storage is damaged, or was written by another program`,
      {
        cause,
      },
    );
  }
}
