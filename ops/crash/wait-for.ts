import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `look` every 50 ms until it returns a value. Rejects after `withinMs`, naming the awaited
 * condition.
 */
export async function waitFor<Found>(
  what: string,
  look: () => Promise<Found | null> | Found | null,
  withinMs: number,
): Promise<Found> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end)
      throw new Error(`timed out after ${withinMs} ms waiting until ${what}`);
    await delay(50);
  }
}
