import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ServiceProcess } from './programs.ts';

/** In milliseconds. */
export interface Blocks {
  readonly processorMs: number;
  readonly delayMs: number;
}

/**
 * Measures the longest time between two turns of this thread's event loop, in elapsed time and in
 * processor time of the thread. Other programs on the machine do not lengthen the processor time.
 * `take` returns the longest since the last call.
 */
export function watchBlocks(): { take(): Blocks; stop(): void } {
  let longest: Blocks = { processorMs: 0, delayMs: 0 };
  let [processorMs, now] = [threadMs(), performance.now()];
  const look = () => {
    const [nextProcessorMs, next] = [threadMs(), performance.now()];
    longest = {
      processorMs: Math.max(longest.processorMs, nextProcessorMs - processorMs),
      delayMs: Math.max(longest.delayMs, next - now),
    };
    [processorMs, now] = [nextProcessorMs, next];
  };
  // The timer does not keep the process running.
  const timer = setInterval(look, 1).unref();
  return {
    take() {
      const taken = longest;
      longest = { processorMs: 0, delayMs: 0 };
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Environment of a service that reports the longest block of its event loop. */
export function reportingBlocks(dataDir: string): Readonly<Record<string, string>> {
  const preload = pathToFileURL(join(import.meta.dirname, 'report-blocks.ts')).href;
  return { NODE_OPTIONS: `--import=${preload}`, BLOCKS_FILE: fileOf(dataDir) };
}

/** Longest block since the last call. */
export async function blocksOf({ pid, dataDir }: ServiceProcess): Promise<Blocks> {
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
