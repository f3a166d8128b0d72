import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveOrders } from './helper-process.ts';
import { type HostileBelongings, type HostileCall, hostileCalls } from './hostile-calls.ts';
import { HostileClient, type Outcome, type Sent } from './hostile-client.ts';

export interface AttackOrder {
  readonly address: string;
  /** An API key with the default limits. */
  readonly key: string;
  readonly belongings: HostileBelongings;
  readonly ms: number;
}

/** Answers by call and status; status 0 stands for no answer. */
export type Attacked = Readonly<Record<string, Readonly<Record<Outcome, number>>>>;

const planned: { readonly name: string; readonly sent: Sent }[] = [];
const callsAMinute = 60;
/** Calls sent at once when a minute begins. The rest of the minute's calls are spread evenly. */
const atOnce = 30;
const minuteMs = 60_000;

const orders = {
  /** Starts a server that accepts connections and never answers. Returns its URL. */
  async listen(): Promise<string> {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  },

  /** Builds the calls beforehand, so that the attack itself costs little processor time. */
  prepare({ belongings, ms }: Pick<AttackOrder, 'belongings' | 'ms'>): number {
    const calls = hostileCalls(belongings);
    for (let number = 0; momentOf(number) < ms; number += 1) {
      const [name, make] = calls[number % calls.length] as HostileCall;
      planned.push({ name, sent: make(Math.floor(number / calls.length)) });
    }
    return planned.length;
  },

  /** Sends the prepared calls as fast as the key's limits allow. */
  async attack({ address, key, ms }: Omit<AttackOrder, 'belongings'>): Promise<Attacked> {
    const client = new HostileClient({ address, key });
    const stranger = new HostileClient({ address, key: 'nobody' });
    const outcomes: (readonly [name: string, outcome: Promise<Outcome>])[] = [];
    const startedAt = performance.now();
    const until = async (at: number) => delay(Math.max(0, startedAt + at - performance.now()));
    for (const [number, { name, sent }] of planned.entries()) {
      await until(momentOf(number));
      outcomes.push([name, client.send(sent)]);
      if (number % 10 === 0) void stranger.send(withoutKey);
    }
    await until(ms);
    client.close();
    stranger.close();
    return counted(outcomes);
  },
};
export type AttackingOrders = typeof orders;

const withoutKey = { method: 'POST', path: '/agent/runs', body: Buffer.alloc(8_000_000, '{}') };

async function counted(
  outcomes: readonly (readonly [string, Promise<Outcome>])[],
): Promise<Attacked> {
  const counts: Record<string, Record<Outcome, number>> = {};
  for (const [name, outcome] of outcomes) {
    const status = await outcome;
    const of = counts[name] ?? {};
    counts[name] = { ...of, [status]: (of[status] ?? 0) + 1 };
  }
  return counts;
}

/** Send time of a call, in milliseconds from the start of the attack. */
function momentOf(number: number): number {
  const [minute, nth] = [Math.floor(number / callsAMinute), number % callsAMinute];
  const later = Math.max(0, nth - atOnce) / (callsAMinute - atOnce);
  return minute * minuteMs + later * minuteMs;
}

serveOrders(orders);
