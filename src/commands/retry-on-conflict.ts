import { VersionConflict } from '../event-store/version-conflict.ts';

const maxAttempts = 200;

/**
 * Runs "load, decide, append" again while others append to the same streams. Each round lets one of
 * them through, so with fewer callers on one stream than `maxAttempts` everyone gets there.
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
