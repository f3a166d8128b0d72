import { Observable } from 'rxjs';

/**
 * Calls `pull` at once and after every hint, one call at a time. A hint during a call causes one
 * more call. Each call of `pull` does all the work there is. Never completes; errors when `pull`
 * rejects. Unsubscribing lets a running call finish and starts no other.
 */
export function pullOnHints(hints: Observable<void>, pull: () => Promise<void>): Observable<void> {
  return new Observable<void>((subscriber) => {
    let pulling = false;
    let hinted = false;
    const run = async () => {
      hinted = true;
      if (pulling) return;
      pulling = true;
      while (hinted && !subscriber.closed) {
        hinted = false;
        await pull();
        subscriber.next();
      }
      pulling = false;
    };
    const attempt = () => {
      run().catch((error) => subscriber.error(error));
    };
    const subscription = hints.subscribe(attempt);
    attempt();
    return () => subscription.unsubscribe();
  });
}
