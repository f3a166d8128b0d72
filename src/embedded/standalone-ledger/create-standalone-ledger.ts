import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalChecks } from './chain/check-locally.ts';
import { History } from './chain/history.ts';
import { LedgerNode } from './chain/ledger-node.ts';
import { defaultBuildVersion, type StandaloneLedgerOptions } from './options.ts';
import { Broadcaster } from './server/broadcaster.ts';
import { ClientSession } from './server/client-session.ts';
import { type Faults, newFaultState, newFaults } from './server/faults.ts';
import { listen } from './server/listen.ts';
import { newIdentity } from './server/server-identity.ts';

/** A running ledger. Call `stop` in any case, even if only the history is needed afterwards. */
export interface StandaloneLedger {
  /** `ws://host:port`. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /** Closes the open ledger now, like rippled's ledger_accept, and returns its index and hash. */
  close(): Promise<{ readonly ledgerIndex: number; readonly ledgerHash: string }>;
  /** Closes every connection and the history file. Harmless if repeated. */
  stop(): Promise<void>;
}

/**
 * Starts a development substitute for `rippled -a` that speaks WebSocket, in the calling thread
 * (otherwise see startStandaloneLedgerThread). Rejects if the port is taken, or if the history in
 * `dataDir` is in use or of another network.
 */
export async function createStandaloneLedger(
  options: StandaloneLedgerOptions = {},
): Promise<StandaloneLedger> {
  const { host = '127.0.0.1', networkId = 1, closeMs = 1000, clock = Date.now } = options;
  const { openLedgerLimit = 1000, openLedgerMaximum, log = () => {} } = options;
  const { buildVersion = defaultBuildVersion } = options;
  const listening = await listen(host, options.port ?? 0);
  const history = await openHistory(options.dataDir, networkId).catch(async (error: unknown) => {
    await listening.stop();
    throw error;
  });
  const sessions = new Set<ClientSession>();
  const broadcaster = new Broadcaster(sessions, () => node);
  const newChainId = () => randomBytes(32).toString('hex').toUpperCase();
  const limits = { openLedgerLimit, openLedgerMaximum };
  const node = new LedgerNode(history, { networkId, clock, newChainId, ...limits }, broadcaster);
  const { port } = listening;
  const server = newIdentity({ buildVersion, port, clock });
  const checks = new LocalChecks();
  const state = newFaultState();

  listening.serve((socket) => {
    const session = new ClientSession(socket, {
      context: { node, checks, server },
      faults: state,
      onBug: (error) => log('a request failed', error),
    });
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
  });
  const timer =
    closeMs === 0 ? undefined : setInterval(() => !state.halted && node.close(), closeMs);
  return {
    url: `ws://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    faults: newFaults(state, node, {
      closeConnections(code, reason) {
        for (const session of sessions) session.close(code, reason);
      },
      loadChanged: () => broadcaster.publishStatus(),
    }),
    async close() {
      const { header, hash } = node.close();
      return { ledgerIndex: header.ledgerIndex, ledgerHash: hash };
    },
    stop: once(async () => {
      clearInterval(timer);
      await listening.stop();
      history.close();
    }),
  };
}

async function openHistory(dataDir: string | undefined, networkId: number): Promise<History> {
  if (dataDir === undefined) return new History(undefined, networkId);
  await mkdir(dataDir, { recursive: true });
  return new History(join(dataDir, 'ledger.sqlite'), networkId);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
