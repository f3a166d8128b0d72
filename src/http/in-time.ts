/**
 * The work's outcome, or a rejection with what `late` makes if it takes longer than `ms`. The work
 * goes on all the same; `unheard` is given what comes of it then.
 */
export async function inTime<Value>(
  work: Promise<Value>,
  ms: number,
  late: () => Error,
  unheard: (value: Value) => void = () => {},
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
      work.then(unheard, () => {});
    }, ms);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
