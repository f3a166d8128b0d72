import { VersionConflict } from '../version-conflict.ts';
import type { Turns } from './turns.ts';

const maxAttempts = 200;

/**
 * Runs "load, decide, append" again while others append to the same streams. One caller succeeds in
 * each round. So with fewer callers on one stream than `maxAttempts`, all of them succeed.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof VersionConflict) || attempts === maxAttempts) throw error;
    }
  }
}

/**
 * As `retryOnConflict`, for callers of one process that often append to the same streams: they take
 * turns.
 */
export function retryInTurn<Result>(
  turns: Turns,
  key: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  return turns.take(key, () => retryOnConflict(attempt));
}
