import type { Page } from 'playwright-core';
import { resourceNames } from './in-page.js';
import { neededBy } from './page-modules.ts';
import { until } from './until.ts';

/** Modules that `/verify` loads by itself: what it waits for, and what it loads ahead. */
const ofPage = neededBy(
  ...['verify.js', 'print-head.js', 'folder-files.js', 'named-server.js', 'report.js'],
  ...['show-table.js'],
);
/**
 * Modules that the reading thread loads ahead. It begins when its own modules are loaded, which its
 * list of resources lacks.
 */
const ofThread = neededBy('check-evidence.js').difference(neededBy('reading-worker.js'));

/**
 * Resolves when `/verify` and its reading thread have loaded all modules that need no action of a
 * reader. From then on reading needs no network. Rejects with the missing ones.
 */
export async function modulesLoaded(page: Page): Promise<void> {
  let missing: readonly string[] = ['the reading thread'];
  const look = async () => {
    const thread = page.workers().find((worker) => worker.url().endsWith('/reading-worker.js'));
    if (thread === undefined) return false;
    const here = await loadedBy(page);
    const there = await loadedBy(thread);
    missing = [
      ...[...ofPage].filter((path) => !here.has(path)),
      ...[...ofThread].filter((path) => !there.has(path)),
    ];
    return missing.length === 0;
  };
  await until('/verify has loaded its modules', look).catch((cause) => {
    throw new Error(`not loaded: ${missing.join(', ')}`, { cause });
  });
}

interface Runner {
  evaluate<Result>(run: () => Result): Promise<Result>;
}

/** Paths below `/pages/` that a page or a thread has loaded, from the network or from a cache. */
async function loadedBy(runner: Runner): Promise<ReadonlySet<string>> {
  const names = await runner.evaluate(resourceNames);
  return new Set(names.map((name) => new URL(name).pathname.replace(/^.*\/pages\//, '')));
}
