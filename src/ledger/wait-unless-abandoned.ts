import { LedgerUnavailable } from './ledger-unavailable.ts';

/** Resolves after this time. Rejects with `LedgerUnavailable` when the signal aborts before. */
export async function waitUnlessAbandoned(ms: number, abandoned: AbortSignal): Promise<void> {
  let stop = () => {};
  let timer: NodeJS.Timeout | undefined;
  const cut = await new Promise<boolean>((resolve) => {
    stop = () => resolve(true);
    abandoned.addEventListener('abort', stop, { once: true });
    timer = setTimeout(() => resolve(abandoned.aborted), abandoned.aborted ? 0 : ms);
  });
  clearTimeout(timer);
  abandoned.removeEventListener('abort', stop);
  if (cut)
    throw new LedgerUnavailable('the connection was closed before the transaction was submitted');
}
