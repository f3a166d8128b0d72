import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { missing } from '../../src/files/missing.ts';
import { replaceFile } from '../../src/files/replace-file.ts';

const privately = 0o600;

const anchorSchema = z.object({
  origin: z.string(),
  size: z.number(),
  /** Lower-case hex. */
  rootHash: z.string(),
  name: z.string(),
});

const cursorSchema = z.object({
  /** First ledger that the next look must search. */
  since: z.number(),
  /** Hash of the newest transaction of the account, which the next look must find again. */
  newest: z.string(),
});

const contentSchema = z.object({
  failingSince: z.record(z.string(), z.number()),
  cursors: z.record(z.string(), cursorSchema),
  pending: z.array(anchorSchema),
  matched: z.array(z.string()),
});

/** A checkpoint on the ledger, as in the file. */
export type KeptAnchor = z.infer<typeof anchorSchema>;

/** Place in the history of an account up to which it was read. */
export type LedgerCursor = z.infer<typeof cursorSchema>;

type Content = z.infer<typeof contentSchema>;

const none: Content = { failingSince: {}, cursors: {}, pending: [], matched: [] };

/**
 * Progress of a follower between two looks, in a file: beginnings of failures (ms since 1970),
 * places in the histories of accounts, and checkpoints of the ledger that were not found in the log
 * yet. Without the file the next look reads the whole history again.
 */
export class FollowState {
  readonly #file: string;
  #content: Content;
  #stored: string;

  private constructor(file: string, content: Content, stored: string) {
    this.#file = file;
    this.#content = content;
    this.#stored = stored;
  }

  /** @param onDamaged called for a file that cannot be used */
  static async open(file: string, onDamaged: () => void): Promise<FollowState> {
    const text = await readFile(file, 'utf8').catch(missing(null));
    if (text === null) return new FollowState(file, none, '');
    const content = parse(text);
    if (content === null) onDamaged();
    return new FollowState(file, content ?? none, text);
  }

  get content(): Content {
    return this.#content;
  }

  change(changed: Partial<Content>): void {
    this.#content = { ...this.#content, ...changed };
  }

  /** Writes the file if it changed. It is durable when this resolves. */
  async store(): Promise<void> {
    const text = `${JSON.stringify(this.#content)}\n`;
    if (text === this.#stored) return;
    await replaceFile(this.#file, text, privately);
    this.#stored = text;
  }
}

function parse(text: string): Content | null {
  try {
    return contentSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
