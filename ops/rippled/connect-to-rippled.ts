import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'xrpl';

const startMs = 30_000;

/** Connects to a rippled that is starting. Rejects if it ends before, or after half a minute. */
export async function connectToRippled(url: string, exited: Promise<unknown>): Promise<Client> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  exited.then(end, end);
  const deadline = performance.now() + startMs;
  for (;;) {
    const client = new Client(url);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (ended || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Closes the open ledger; returns the index of the closed one. */
export async function closeLedger(client: Client): Promise<number> {
  const { result } = await client.request({ command: 'ledger_accept' } as never);
  const { ledger_current_index: open } = result as unknown as { ledger_current_index: number };
  return open - 1;
}
