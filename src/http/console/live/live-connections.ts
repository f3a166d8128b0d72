import { Readable } from 'node:stream';
import { RateLimitExceeded } from '../../limits/rate-limit-exceeded.ts';
import type { ReadSessions } from '../read-sessions.ts';
import { type SessionPerson, sessionHash } from '../sessions.ts';
import { liveBeat, liveStart } from './live-messages.ts';

/** Maximum numbers of open streams. */
export interface LiveLimits {
  readonly perSession: number;
  readonly perOrganisation: number;
  readonly inAll: number;
}

const defaults: LiveLimits = { perSession: 6, perOrganisation: 100, inAll: 2_000 };

/** Unread bytes of a stream after which its client is disconnected. */
const mostUnread = 65_536;
const retryAfterSeconds = 30;

/** An open stream of one page. */
export interface LiveConnection {
  readonly body: Readable;
  send(text: string): void;
  end(): void;
  /** Called once when the stream is over, whoever ended it. */
  onEnd(listener: () => void): void;
}

/** The open streams of a process. */
export interface LiveConnections {
  /**
   * Opens a stream. `giveUp` disconnects a client that does not read. Throws `RateLimitExceeded` at the
   * maximum numbers.
   */
  open(person: SessionPerson, token: string, giveUp: () => void): LiveConnection;
  size(): number;
}

interface Open extends LiveConnection {
  readonly organisationId: string;
  readonly tokenHash: string;
}

/**
 * Keeps the open streams: each has a beat every `beatMs`, and ends within `checkMs` after its
 * session signs nobody in any more. One call checks the sessions of all streams.
 */
export function createLiveConnections(options: {
  readonly findSessions: ReadSessions;
  readonly draining: AbortSignal;
  readonly limits?: Partial<LiveLimits>;
  readonly beatMs?: number;
  readonly checkMs?: number;
  readonly onError?: (error: unknown) => void;
}): LiveConnections {
  const { findSessions, draining, beatMs = 15_000, checkMs = 5_000, onError } = options;
  const limits = { ...defaults, ...options.limits };
  const open = new Set<Open>();
  let timers: readonly NodeJS.Timeout[] = [];
  const endAll = () => {
    for (const each of open) each.end();
  };
  draining.addEventListener('abort', endAll, { once: true });

  const check = async () => {
    // Streams that open meanwhile are not asked about: their sessions were found a moment ago.
    const asked = [...open];
    try {
      const present = await findSessions([...new Set(asked.map(({ tokenHash }) => tokenHash))]);
      for (const each of asked) if (!present.has(each.tokenHash)) each.end();
    } catch (error) {
      // Without an answer nobody is known to be signed in.
      onError?.(error);
      endAll();
    }
  };
  const beat = () => {
    for (const each of open) each.send(liveBeat);
  };
  const run = () => {
    if (open.size > 0 && timers.length === 0) {
      timers = [setInterval(beat, beatMs).unref(), setInterval(check, checkMs).unref()];
    } else if (open.size === 0) {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    }
  };
  const count = (isCounted: (each: Open) => boolean) => [...open].filter(isCounted).length;

  return {
    size: () => open.size,
    open({ organisationId }, token, giveUp) {
      const tokenHash = sessionHash(token);
      const isFull =
        open.size >= limits.inAll ||
        count((each) => each.tokenHash === tokenHash) >= limits.perSession ||
        count((each) => each.organisationId === organisationId) >= limits.perOrganisation;
      if (isFull) throw new RateLimitExceeded(retryAfterSeconds);
      const connection = { ...openStream(giveUp), organisationId, tokenHash };
      open.add(connection);
      connection.onEnd(() => {
        open.delete(connection);
        run();
      });
      run();
      if (draining.aborted) connection.end();
      return connection;
    },
  };
}

function openStream(giveUp: () => void): LiveConnection {
  const body = new Readable({ read() {} });
  let isOver = false;
  const end = () => {
    if (!isOver) body.push(null);
    isOver = true;
  };
  const send = (text: string) => {
    if (isOver || body.destroyed) return;
    body.push(text);
    if (body.readableLength <= mostUnread) return;
    end();
    giveUp();
  };
  send(liveStart);
  return {
    ...{ body, send, end },
    onEnd: (listener) => void body.once('close', listener),
  };
}
