import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = { least: 20, most: 100 };

/**
 * Polls `look` until it finds something; resolves with that. For conditions without a notification. Pauses
 * are a tenth of the time waited, since looking costs more than waiting. Rejects after `withinMs`, and names
 * the awaited condition.
 */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined | null | false>,
  withinMs = 90_000,
): Promise<Found> {
  const begin = performance.now();
  for (let waited = 0; waited < withinMs; waited = performance.now() - begin) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    await sleep(Math.min(pauseMs.most, Math.max(pauseMs.least, waited / 10)));
  }
  throw new Error(`waited ${withinMs} ms in vain: ${what}`);
}
