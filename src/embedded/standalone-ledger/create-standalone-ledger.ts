import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { LocalChecks } from './chain/check-locally.ts';
import { History } from './chain/history.ts';
import { LedgerNode } from './chain/ledger-node.ts';
import { defaultBuildVersion, type StandaloneLedgerOptions } from './options.ts';
import { Broadcaster } from './server/broadcaster.ts';
import { ClientSession } from './server/client-session.ts';
import { type Faults, newFaultState, newFaults } from './server/faults.ts';
import { listen } from './server/listen.ts';
import { newIdentity } from './server/server-identity.ts';
import { keepValidatorKeys, readOrCreateValidatorKeys } from './validators/validator-keys.ts';
import { Validators } from './validators/validators.ts';

/** Address of the published list of validators, and master key of its publisher, in hex. */
export interface ValidatorListPlace {
  readonly url: string;
  readonly publisherKey: string;
}

/** A running ledger. Call `stop` in any case, even if only the history is needed afterwards. */
export interface StandaloneLedger {
  /** `ws://host:port`. */
  readonly url: string;
  readonly port: number;
  readonly validatorList: ValidatorListPlace;
  readonly faults: Faults;
  /** Closes the open ledger now, like rippled's ledger_accept, and returns its index and hash. */
  close(): Promise<{ readonly ledgerIndex: number; readonly ledgerHash: string }>;
  /** Closes every connection and the history file. Harmless if repeated. */
  stop(): Promise<void>;
}

const validatorListPath = '/validator-list.json';

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
  const stopped = async (error: unknown): Promise<never> => {
    await listening.stop();
    throw error;
  };
  const history = await openHistory(options.dataDir, networkId).catch(stopped);
  const validators = await openValidators(options.dataDir, clock).catch((error: unknown) => {
    history.close();
    return stopped(error);
  });
  const sessions = new Set<ClientSession>();
  const broadcaster = new Broadcaster(sessions, () => node, validators);
  const newChainId = () => randomBytes(32).toString('hex').toUpperCase();
  const limits = { openLedgerLimit, openLedgerMaximum };
  const node = new LedgerNode(history, { networkId, clock, newChainId, ...limits }, broadcaster);
  const { port } = listening;
  const server = newIdentity({ buildVersion, port, clock });
  const checks = new LocalChecks();
  const state = newFaultState();

  const onConnection = (socket: WebSocket) => {
    const session = new ClientSession(socket, {
      context: { node, checks, server, validators },
      faults: state,
      onBug: (error) => log('a request failed', error),
    });
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
  };
  listening.serve(onConnection, new Map([[validatorListPath, () => validators.list]]));
  const timer =
    closeMs === 0 ? undefined : setInterval(() => !state.halted && node.close(), closeMs);
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url: `ws://${authority}`,
    port,
    get validatorList() {
      const { publisherKey } = validators;
      return { url: `http://${authority}${validatorListPath}`, publisherKey };
    },
    faults: newFaults(
      state,
      { node, validators },
      {
        closeConnections(code, reason) {
          for (const session of sessions) session.close(code, reason);
        },
        loadChanged: () => broadcaster.publishStatus(),
        delayValidations(ms) {
          broadcaster.validationDelayMs = ms;
        },
        rotated: (manifest) => broadcaster.publishManifest(manifest),
      },
    ),
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

async function openValidators(dataDir: string | undefined, clock: () => number) {
  if (dataDir === undefined) return new Validators({ clock });
  const file = join(dataDir, 'validators.json');
  const keys = await readOrCreateValidatorKeys(file);
  return new Validators({ clock, keys, keep: (changed) => keepValidatorKeys(file, changed) });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
