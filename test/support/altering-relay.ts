import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { startWebSocketRelay } from '../../ops/crash/websocket-relay.ts';

interface Alterations {
  /** Returns the result to pass on in place of this one. */
  readonly alter?: (command: string, result: Record<string, unknown>) => Record<string, unknown>;
  /** Time by which notices of new ledgers come later, in milliseconds. */
  readonly lateMs?: number;
}

/** A ledger server that relays the one behind it, and may lie or be late. Returns its address. */
export async function startAlteringRelay(
  t: Pick<Test, 'teardown'>,
  behind: string,
  { alter = (_, result) => result, lateMs = 0 }: Alterations,
): Promise<string> {
  const relay = await startWebSocketRelay(behind, (send) => {
    const commands = new Map<unknown, string>();
    return {
      passesOn(request) {
        const { id, command } = JSON.parse(request);
        commands.set(id, command);
        return true;
      },
      async onMessage(message) {
        const answer = JSON.parse(message);
        const command = commands.get(answer.id);
        if (answer.type === 'ledgerClosed') await delay(lateMs);
        else if (command !== undefined && answer.status === 'success') {
          answer.result = alter(command, answer.result);
        }
        send(JSON.stringify(answer));
      },
    };
  });
  t.teardown(() => relay.close());
  return relay.url;
}
