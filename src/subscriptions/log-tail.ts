import { createDecoder } from '../event-store/decode.ts';
import type { LogReader } from '../event-store/event-store.ts';
import type { SeenEvent } from '../event-store/high-water-mark.ts';
import type { Keyring } from '../event-store/keyring.ts';
import type { LogRows } from '../event-store/log-rows.ts';
import { LogWindow, type WindowLimits } from '../event-store/log-window.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { LogSignal } from './log-signal.ts';

/**
 * One reader of the log for all followers in the process. `head` is at least as new as the last
 * hint. A page that makes progress may end before the head. Followers share the events, and must
 * not change them.
 */
export interface LogTail extends LogReader, RecentEvents, IdleEnds {
  /**
   * Ends the subscription to hints. A closed tail still answers, but at its end only with the head
   * of its last read, since nothing tells it of later events. Close it after its followers.
   */
  close(): void;
}

/** Events that a reader of the log has in memory. */
export interface RecentEvents {
  /** The event at a log position, if it is in memory. Rejects if it cannot be decoded. */
  recent(position: number): Promise<StoredEvent | undefined>;
}

/** Finds stretches at the end of the log that a follower need not read. */
export interface IdleEnds {
  /**
   * The newest event known, if no event after the position `after` has one of these types. Null if
   * there is no such stretch, or if it is not in memory.
   */
  idleEnd(after: number, types: ReadonlySet<string>): Promise<SeenEvent | null>;
}

interface LogTailOptions {
  /** Reads for followers that are behind, and reads the data that `rows` leaves out. */
  readonly store: LogReader;
  readonly rows: LogRows;
  readonly keyring: Pick<Keyring, 'find'>;
  /**
   * Also wakes the followers. They subscribe after the tail, so the tail receives every hint first.
   */
  readonly signal: Pick<LogSignal, 'hints'>;
  readonly limits?: Partial<WindowLimits>;
}

const readLimit = 1_000;
/**
 * A follower at the head takes events within milliseconds. `ageMs` limits the time for which
 * confidential data is kept.
 */
const defaults: WindowLimits = { events: 2_000, bytes: 8_388_608, ageMs: 2_000 };

/**
 * Reads the end of the log once for all followers. Decodes each event once, when the first follower
 * wants it. A follower that is behind the rows in memory reads from the store.
 */
export function createLogTail(options: LogTailOptions): LogTail {
  const { store, rows, keyring, signal } = options;
  const limits = { ...defaults, ...options.limits };
  const decode = createDecoder(keyring);
  let window: LogWindow | null = null;
  let head = 0;
  let hints = 0;
  /** Number of hints when the last successful read began. */
  let readAt = -1;
  let reading: Promise<void> | null = null;

  const readOn = async () => {
    const at = hints;
    if (window === null) {
      head = await store.head();
      window = new LogWindow(head, limits);
    } else {
      const read = await rows.read(window.end, readLimit);
      window.add(read, performance.now());
      head = read.head;
    }
    readAt = at;
  };
  /** Resolves with the window after a read that began after the last hint and passed `after`. */
  const refresh = async (after = -1): Promise<LogWindow> => {
    const asked = hints;
    for (;;) {
      const isBehind = window !== null && after === window.end && window.end < head;
      if (window !== null && readAt >= asked && !isBehind) return window;
      reading ??= readOn().finally(() => {
        reading = null;
      });
      await reading;
    }
  };
  const subscription = signal.hints.subscribe(() => {
    hints += 1;
    window?.trim(performance.now());
  });

  return {
    async head() {
      await refresh();
      return head;
    },

    async readPage(after, limit, types, upTo, headersOf) {
      const own = window !== null && after < window.end ? window : await refresh(after);
      const page = own.page({ after, limit, types, upTo, headersOf });
      if (page === null) return store.readPage(after, limit, types, upTo, headersOf);
      const { rows: wanted, ...reached } = page;
      return { events: await decode(wanted), ...reached };
    },

    async readHeaders(after, limit) {
      const own = await refresh(after);
      const isHere = after >= own.start && after <= own.end;
      const isWhole = own.end >= Math.min(head, after + limit);
      return isHere && isWhole ? own.headers(after, limit) : store.readHeaders(after, limit);
    },

    async idleEnd(after, types) {
      const own = window !== null && after < window.end ? window : await refresh(after);
      return own.idleEnd(after, types);
    },

    async recent(position) {
      const row = window?.rowAt(position) ?? null;
      return row === null ? undefined : (await decode([row]))[0];
    },

    close: () => subscription.unsubscribe(),
  };
}
