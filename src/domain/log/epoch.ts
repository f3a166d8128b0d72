/**
 * In which epoch a log is, by the events of its stream: the first one, until a restored database
 * was taken up again as the log (`LogRestored`, which names the epoch that it opens).
 */
export function epochOf(
  events: readonly { readonly type: string; readonly data: object }[],
): number {
  const restored = events.findLast(({ type }) => type === 'LogRestored');
  if (restored === undefined) return 1;
  const { epoch } = restored.data as { readonly epoch?: unknown };
  if (!Number.isSafeInteger(epoch)) throw new Error('a restored log without its epoch');
  return epoch as number;
}
