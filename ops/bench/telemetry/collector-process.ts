import { createServer } from 'node:http';
import { listen } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';

/** A collector that accepts and discards all traces; it also scrapes metrics once a second. */
let [requests, bytes, scrapes] = [0, 0, 0];

const orders = {
  async listen(): Promise<string> {
    const server = createServer(async (req, res) => {
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      requests += 1;
      res.end();
    });
    return listen(server);
  },
  scrape(urls: readonly string[]): void {
    setInterval(async () => {
      for (const url of urls) {
        await (await fetch(url)).text();
        scrapes += 1;
      }
    }, 1_000);
  },
  taken: () => ({ requests, bytes, scrapes }),
};
export type CollectorOrders = typeof orders;

serveParent(orders);
