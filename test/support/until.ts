import { setTimeout as sleep } from 'node:timers/promises';

const lookAgainMs = 20;

/**
 * Looks again and again until `look` finds something, and resolves with it. For what tells nobody
 * when it happens. Rejects after `withinMs`, naming what was waited for.
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
