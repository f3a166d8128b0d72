/** In milliseconds. */
export interface Blocks {
  readonly processorMs: number;
  readonly delayMs: number;
}

/**
 * The longest time between two turns of this thread's event loop: as the clock has it, and as the
 * processor time that the thread took, which other programs on the machine do not lengthen. `take`
 * tells the longest since it was last asked.
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
  // It keeps nobody running.
  const timer = setInterval(look, 1).unref();
  return {
    take() {
      const told = longest;
      longest = { processorMs: 0, delayMs: 0 };
      return told;
    },
    stop: () => clearInterval(timer),
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
