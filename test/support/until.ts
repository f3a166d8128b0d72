import { setTimeout as sleep } from 'node:timers/promises';

const lookAgainMs = 20;

/**
 * Polls `look` until it finds something; resolves with that. For conditions without a notification. Rejects
 * after `withinMs`, and names the awaited condition.
 */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined | null | false>,
  withinMs = 30_000,
): Promise<Found> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    await sleep(lookAgainMs);
  }
  throw new Error(`waited ${withinMs} ms in vain: ${what}`);
}
