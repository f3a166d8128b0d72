import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';
import { costOf, type HostileBelongings, type HostileCall, hostileCalls } from './calls.ts';
import { HostileClient, type Outcome, type Sent } from './client.ts';

export interface AttackOrder {
  readonly address: string;
  /** An API key with the default limits. */
  readonly key: string;
  /** Number of the minute, from 0. */
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
  /** Requests already charged to the key in this minute. */
  readonly chargedBefore: number;
}

/** The calls of each minute. */
const planned: Planned[][] = [];
const requestsAMinute = 60;
/** Charged requests at the start of a minute; the others are spread evenly. */
const atOnce = 30;
const minuteMs = 60_000;

const orders = {
  /** Starts a server that accepts connections and never answers. Returns its URL. */
  listen: (): Promise<string> => listen(createServer(() => {})),

  /**
   * Prepares the calls of `minutes` minutes, so that the attack itself costs little processor time.
   * Each minute uses up the key's limit. Returns the number of calls.
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

  /**
   * Sends the calls of one minute. The previous minute must be over, also in the service's count.
   */
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

serveParent(orders);
