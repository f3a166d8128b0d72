import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveOrders } from './helper-process.ts';
import { costOf, type HostileBelongings, type HostileCall, hostileCalls } from './hostile-calls.ts';
import { HostileClient, type Outcome, type Sent } from './hostile-client.ts';

export interface AttackOrder {
  readonly address: string;
  /** An API key with the default limits. */
  readonly key: string;
  /** From 0. */
  readonly minute: number;
}

export interface PrepareOrder {
  readonly belongings: HostileBelongings;
  readonly minutes: number;
}

/** Answers by call and status; status 0 stands for no answer. */
export type Attacked = Readonly<Record<string, Readonly<Record<Outcome, number>>>>;

interface Planned {
  readonly name: string;
  readonly sent: Sent;
  /** Requests that the key had been charged in this minute before the call. */
  readonly chargedBefore: number;
}

/** The calls of each minute. */
const planned: Planned[][] = [];
const requestsAMinute = 60;
/** Requests' worth of calls sent at once when a minute begins. The rest is spread evenly. */
const atOnce = 30;
const minuteMs = 60_000;

const orders = {
  /** Starts a server that accepts connections and never answers. Returns its URL. */
  async listen(): Promise<string> {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  },

  /**
   * Builds the calls of so many minutes beforehand, so that the attack itself costs little processor
   * time. Each minute uses up the key's limit. Returns the number of calls.
   */
  prepare({ belongings, minutes }: PrepareOrder): number {
    const calls = hostileCalls(belongings);
    let number = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      const ofMinute: Planned[] = [];
      for (let charged = 0; ; number += 1) {
        const hostile = calls[number % calls.length] as HostileCall;
        const [name, make] = hostile;
        const sent = make(Math.floor(number / calls.length));
        const cost = costOf(hostile, sent);
        if (charged + cost > requestsAMinute) break;
        ofMinute.push({ name, sent, chargedBefore: charged });
        charged += cost;
      }
      planned.push(ofMinute);
    }
    return number;
  },

  /** Sends the calls of one minute. The minute before must be over, for the service's count too. */
  async attack({ address, key, minute }: AttackOrder): Promise<Attacked> {
    const client = new HostileClient({ address, key });
    const stranger = new HostileClient({ address, key: 'nobody' });
    const outcomes: (readonly [name: string, outcome: Promise<Outcome>])[] = [];
    const startedAt = performance.now();
    const until = async (at: number) => delay(Math.max(0, startedAt + at - performance.now()));
    for (const [number, { name, sent, chargedBefore }] of (planned[minute] ?? []).entries()) {
      await until(momentOf(chargedBefore));
      outcomes.push([name, client.send(sent)]);
      if (number % 10 === 0) void stranger.send(withoutKey);
    }
    await until(minuteMs);
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

/** Send time of a call, in milliseconds from the start of the minute. */
function momentOf(chargedBefore: number): number {
  return (Math.max(0, chargedBefore - atOnce) / (requestsAMinute - atOnce)) * minuteMs;
}

serveOrders(orders);
