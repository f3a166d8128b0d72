import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveOrders } from './helper-process.ts';

/** A collector of traces that takes all and looks at nothing; it also scrapes, once a second. */
let [requests, bytes, scrapes] = [0, 0, 0];

const orders = {
  async listen(): Promise<string> {
    const server = createServer(async (req, res) => {
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      requests += 1;
      res.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

serveOrders(orders);
