import { setTimeout as delay } from 'node:timers/promises';
import type { LogStorage } from '../../../src/transparency-log/published/contract.ts';
import { hashBytes } from '../../../src/transparency-log/tree/merkle-hash.ts';
import { type Tile, tilePath, tileWidth } from '../../../src/transparency-log/tree/tile.ts';
import { PublicLogUnavailable } from '../findings/public-log-unavailable.ts';

interface PublicLogOptions {
  /** Time-out of one answer. */
  readonly timeoutMs?: number;
  /** Time without an answer before a server is given up; it may limit requests by the minute. */
  readonly patienceMs?: number;
  /** Limit of all answers together. */
  readonly limit?: AnswerLimit;
}

interface AnswerLimit {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Throws if nothing more may be read. */
  require(): void;
  /** Throws if there were too many bytes. */
  spend(bytes: number): void;
}

const longestPauseMs = 8_000;
const tileBytes = tileWidth * hashBytes;
/** A checkpoint has some hundred bytes, and each signature as many. */
const checkpointBytes = 65_536;

/**
 * Published part of a log at `<address>/log/…` (C2SP tlog-tiles). Retries a server that is busy
 * (429), fails (5xx) or does not answer, after the delay that the server names, for `patienceMs`.
 * Then rejects with `PublicLogUnavailable`, or with the error of the limit. Returns one byte more
 * than allowed if an answer is too long.
 */
export function publicLog(
  address: string,
  { timeoutMs = 20_000, patienceMs = 120_000, limit }: PublicLogOptions = {},
): Pick<LogStorage, 'readCheckpoint' | 'readTile'> {
  let answeredAt = performance.now();
  const get = async (path: string, mostBytes: number): Promise<Buffer | null> => {
    const url = `${address.replace(/\/$/, '')}/log/${path}`;
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      limit?.require();
      const answer = await request(url, mostBytes, timeoutMs, limit?.signal);
      limit?.require();
      if ('bytes' in answer) {
        limit?.spend(answer.bytes?.length ?? 0);
        answeredAt = performance.now();
        return answer.bytes;
      }
      const { reason, afterMs, isFinal } = answer;
      const waitMs = Math.max(pauseMs, afterMs ?? 0);
      if (isFinal || performance.now() + waitMs > answeredAt + patienceMs) {
        const advice = isFinal ? 'check the address given with --log' : 'audit again later';
        throw new PublicLogUnavailable(`${url} ${reason}: ${advice}`);
      }
      await delay(waitMs, undefined, { signal: limit?.signal }).catch(() => {});
    }
  };
  return {
    readCheckpoint: async () =>
      (await get('checkpoint', checkpointBytes))?.toString('utf8') ?? null,
    readTile: (_origin: string, tile: Tile) => get(tilePath(tile), tileBytes),
  };
}

type Answer =
  /** Null: there is no such file. */
  | { readonly bytes: Buffer | null }
  | { readonly reason: string; readonly afterMs: number | null; readonly isFinal: boolean };

async function request(
  url: string,
  mostBytes: number,
  timeoutMs: number,
  limit?: AbortSignal,
): Promise<Answer> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(limit ? [limit] : [])]);
  try {
    const answer = await fetch(url, { signal });
    if (answer.status === 404) {
      await answer.body?.cancel();
      return { bytes: null };
    }
    if (answer.ok) return { bytes: await readUpTo(answer, mostBytes + 1) };
    await answer.body?.cancel();
    const isFinal = answer.status !== 429 && answer.status < 500;
    return { reason: `answers ${answer.status}`, afterMs: retryAfterMs(answer), isFinal };
  } catch (error) {
    return { reason: `does not answer (${reasonOf(error)})`, afterMs: null, isFinal: false };
  }
}

async function readUpTo(answer: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}

/**
 * Milliseconds until the time in `Retry-After`: seconds or a date (RFC 9110 §10.2.3). Null without
 * one.
 */
function retryAfterMs({ headers }: Response): number | null {
  const text = headers.get('Retry-After');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : ms;
}

/** `fetch` puts the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : error.message;
}
