import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a helper can be asked for: by name, each with at most one input and one answer. */
export type Orders = Readonly<Record<string, (input: never) => unknown>>;

/** A part of the benchmark that runs in a process of its own, so that it is measured apart. */
export interface HelperProcess<Served extends Orders> {
  readonly pid: number;
  /** Rejects if the order fails or the process ends. */
  ask<Name extends keyof Served & string>(
    name: Name,
    ...input: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>>;
  stop(): Promise<void>;
}

interface Order {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

type Answer = { readonly id: number } & ({ readonly answer: unknown } | { readonly error: string });

/** Starts a file of this folder that calls `serveOrders`. */
export function startHelper<Served extends Orders>(file: string): HelperProcess<Served> {
  const child = fork(join(import.meta.dirname, file), { detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} did not start`);
  let asked = 0;
  const exited = once(child, 'exit');
  const ended = exited.then(([code, signal]) => {
    throw new Error(`${file} ended by itself (${signal ?? code})`);
  });
  ended.catch(() => {});
  return {
    pid,
    ask(name, ...[input]) {
      asked += 1;
      const order: Order = { id: asked, name, input };
      child.send(order);
      return Promise.race([answerOf(child, order), ended]) as never;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
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

/** The other side: answers orders until the process is ended. Orders may be under way at once. */
export function serveOrders<Served extends Orders>(orders: Served): void {
  process.on('message', async ({ id, name, input }: Order) => {
    try {
      const answer = await orders[name]?.(input as never);
      process.send?.({ id, answer: answer ?? null });
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ id, error: text });
    }
  });
  // Whoever gave the orders is gone.
  process.on('disconnect', () => process.exit());
}
