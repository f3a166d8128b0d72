/** Cached figures that are expensive to compute; null if unknown. */
type Figures<Value> = () => Promise<Value | null>;

/**
 * Computes figures on request if they are older than `keptMs`, once at a time. A caller waits for
 * `waitMs` at most, then gets null. A slow computation continues, and its result is ready for a
 * later request. After a failure, the figures are null for `keptMs`.
 */
export function keepFigures<Value>(
  find: () => Promise<Value>,
  { keptMs, waitMs }: { readonly keptMs: number; readonly waitMs: number },
): Figures<Value> {
  let found: Value | null = null;
  let foundAt = -Infinity;
  let finding: Promise<void> | null = null;
  const begin = async () => {
    try {
      found = await find();
    } catch {
      found = null;
    }
    foundAt = performance.now();
    finding = null;
  };
  return async () => {
    if (performance.now() - foundAt < keptMs) return found;
    finding ??= begin();
    let timer: NodeJS.Timeout | undefined;
    const isOver = await Promise.race([
      finding.then(() => true),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), waitMs);
      }),
    ]);
    clearTimeout(timer);
    return isOver ? found : null;
  };
}
