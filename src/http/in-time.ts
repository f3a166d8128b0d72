/**
 * Returns the outcome of the work. Rejects with the error from `late` if the work takes longer than
 * `ms`. The work continues, and `onLateResult` receives its late result.
 */
export async function inTime<Value>(
  work: Promise<Value>,
  ms: number,
  late: () => Error,
  onLateResult: (value: Value) => void = () => {},
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
      work.then(onLateResult, () => {});
    }, ms);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
