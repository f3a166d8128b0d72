import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ServiceProcess } from './service-process.ts';
import type { Blocks } from './watch-blocks.ts';

/** Environment of a service that reports how long its event loop was blocked. */
export function reportingBlocks(dataDir: string): Readonly<Record<string, string>> {
  const preload = pathToFileURL(join(import.meta.dirname, 'report-blocks.ts')).href;
  return { NODE_OPTIONS: `--import=${preload}`, BLOCKS_FILE: fileOf(dataDir) };
}

/** Longest block since the last call. */
export async function blocksOf({ pid }: ServiceProcess, dataDir: string): Promise<Blocks> {
  const file = fileOf(dataDir);
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('}')) return JSON.parse(text) as Blocks;
    await delay(20);
  }
}

function fileOf(dataDir: string): string {
  return join(dirname(dataDir), 'blocks.json');
}
