import { z } from 'zod';

/** Which log names the blobs of a storage, and how far it had come when that was last known. */
export interface LogMark {
  readonly logId: string;
  /** Of an event of that log … */
  readonly position: number;
  /** … which is this one: a log that went on from an older copy has another one there. */
  readonly eventId: string;
}

/** The name of the mark, beside the folders of organisations: no blob and no organisation has it. */
export const logMarkName = 'log.json';

const schema = z.object({ logId: z.string(), position: z.int().min(1), eventId: z.string() });

export function formatLogMark({ logId, position, eventId }: LogMark): string {
  return `${JSON.stringify({ logId, position, eventId })}\n`;
}

/** Throws on what is no mark: it must not be taken for none. */
export function parseLogMark(text: string): LogMark {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${logMarkName} in the file storage is not what this service writes`, {
      cause,
    });
  }
}
