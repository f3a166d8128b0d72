import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { CleanUp } from './clean-up.ts';

/** Orders that a helper accepts, by name, each with at most one input and one answer. */
export type Orders = Readonly<Record<string, (input: never) => unknown>>;

/** A part of the benchmark in its own process, so that it is measured separately. */
export interface HelperProcess<Served extends Orders> {
  readonly pid: number;
  /** Rejects if the order fails or the process ends. */
  ask<Name extends keyof Served & string>(
    name: Name,
    ...input: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>>;
}

interface Order {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

type Answer = { readonly id: number } & ({ readonly answer: unknown } | { readonly error: string });

/** Starts a helper from a file that calls `serveParent`. */
export function startHelper<Served extends Orders>(
  file: URL,
  cleanUp: CleanUp,
): HelperProcess<Served> {
  const child = fork(file, { detached: true });
  const exited = once(child, 'exit');
  cleanUp.defer(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const { pid } = child;
  const name = basename(file.pathname);
  if (pid === undefined) throw new Error(`${name} did not start`);
  const ended = exited.then(([code, signal]) => {
    throw new Error(`${name} ended unexpectedly (${signal ?? code})`);
  });
  ended.catch(() => {});
  let asked = 0;
  return {
    pid,
    ask(name, ...[input]) {
      asked += 1;
      const order: Order = { id: asked, name, input };
      child.send(order);
      return Promise.race([answerOf(child, order), ended]) as never;
    },
  };
}

function answerOf(child: ChildProcess, { id, name }: Order): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const hear = (message: Answer) => {
      if (message.id !== id) return;
      child.off('message', hear);
      if ('answer' in message) resolve(message.answer);
      else reject(new Error(`${name} failed: ${message.error}`));
    };
    child.on('message', hear);
  });
}

/** Answers orders in the helper until its process ends. Orders may run concurrently. */
export function serveParent<Served extends Orders>(orders: Served): void {
  process.on('message', async ({ id, name, input }: Order) => {
    try {
      const answer = await orders[name]?.(input as never);
      process.send?.({ id, answer: answer ?? null });
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ id, error: text });
    }
  });
  // The ordering process has ended.
  process.on('disconnect', () => process.exit());
}
