import { setTimeout as delay } from 'node:timers/promises';

/** Looks every 50 ms until `look` finds something. Rejects after `withinMs`, naming what was awaited. */
export async function waitFor<Found>(
  what: string,
  look: () => Promise<Found | null> | Found | null,
  withinMs: number,
): Promise<Found> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await delay(50);
  }
}
