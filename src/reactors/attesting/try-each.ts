/**
 * Works on one item after the other. An item's failure does not stop the others: the first failure
 * is thrown at the end. Ends early once `isStopped` says so.
 */
export async function tryEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (isStopped()) return;
    await work(item).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
