/**
 * Exits with 0 if the process in this container is ready, for any of its roles; otherwise prints
 * the reason.
 */
const port = process.env.METRICS_PORT ?? '9464';
try {
  const signal = AbortSignal.timeout(4_000);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
  if (!answer.ok) console.error((await answer.text()).trim());
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
