/**
 * Asks one after the other until an answer is useful; null if none is. The next one is asked early,
 * beside those before it, if no answer comes within `patienceMs`. A failure counts as no answer.
 * `index` is that of the useful answer.
 */
export function firstUseful<Answer>(
  questions: readonly (() => Promise<Answer | null>)[],
  patienceMs: number,
): Promise<{ readonly answer: Answer; readonly index: number } | null> {
  return new Promise((resolve) => {
    let asked = 0;
    let open = 0;
    let isAnswered = false;
    let impatience: NodeJS.Timeout | undefined;
    const askNext = () => {
      clearTimeout(impatience);
      const index = asked;
      const question = questions[index];
      if (question === undefined) {
        if (open === 0) resolve(null);
        return;
      }
      asked += 1;
      open += 1;
      impatience = setTimeout(askNext, patienceMs);
      const settle = (answer: Answer | null) => {
        open -= 1;
        // A slow one may still fail after another one's useful answer.
        if (isAnswered) return;
        if (answer === null) {
          askNext();
          return;
        }
        isAnswered = true;
        clearTimeout(impatience);
        resolve({ answer, index });
      };
      question().then(settle, () => settle(null));
    };
    askNext();
  });
}
