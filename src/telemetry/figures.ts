/** Figures that cost something to find out, as they were a moment ago; null where they are not known. */
export type Figures<Value> = () => Promise<Value | null>;

/**
 * Finds figures out when they are asked for and older than `keptMs`, once at a time. Whoever asks waits
 * `waitMs` at most, then gets null: what takes longer goes on, and is there the next time. What fails is
 * not known until `keptMs` later.
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
