import { setFlagsFromString } from 'node:v8';

/** Number of waiting calls from which the space grows. */
const manyWaiting = 500;
const lookEveryMs = 500;

/**
 * Lets V8's space for young objects grow to its maximum (`--max-semi-space-size`) once many calls
 * wait. With a small one V8 copies the objects of all waiting calls again and again, a fifth of the
 * processor time of a proof. Until then `small-young-space.ts` keeps it small. Returns the function
 * that ends looking.
 */
export function growYoungSpace(waitingCalls: () => number): () => void {
  const looking = setInterval(() => {
    if (waitingCalls() < manyWaiting) return;
    clearInterval(looking);
    // V8 reads this flag whenever it may grow the space. 2 is its default.
    setFlagsFromString('--semi-space-growth-factor=2');
  }, lookEveryMs).unref();
  return () => clearInterval(looking);
}
