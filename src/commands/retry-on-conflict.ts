import { VersionConflict } from '../event-store/version-conflict.ts';

const maxAttempts = 20;

/**
 * Runs "load, decide, append" again while others append to the same streams. With n callers on one
 * stream each round lets one of them through, so the last of `maxAttempts` losing is a defect.
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
