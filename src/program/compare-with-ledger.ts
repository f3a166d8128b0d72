import { setTimeout as delay } from 'node:timers/promises';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { AnchoredLogDiffers, RestoreUnfinished } from '../commands/anchored-log-differs.ts';
import { compareAnchored } from '../commands/compare-anchored.ts';
import { loadLog } from '../commands/load-log.ts';
import type { LedgerGateway } from '../ledger/contract.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

/** Whether the log was found to be the one whose checkpoint is on the ledger. */
export interface LedgerComparison {
  /** Only then may anything be signed or published. */
  agrees(): boolean;
  /** Resolves when it agrees; never where the program ends instead. */
  readonly agreed: Promise<void>;
}

const firstMs = 5_000;
const retryMs = 2_000;

/**
 * Compares the log with its last anchored checkpoint: before anything is served where a ledger
 * answers at once, otherwise as soon as one does. Rejects, or ends the program, where it differs.
 */
export async function compareWithLedger(
  program: Program,
  core: Core,
  configured: readonly NetworkParts[],
): Promise<LedgerComparison> {
  const { log, draining, fail } = program;
  const restoring = (await loadLog(core.store))?.state.restoring ?? null;
  if (restoring !== null) throw new RestoreUnfinished(restoring.epoch);
  const open = new Set(configured);
  let last: unknown = null;
  const attempt = async () => {
    for (const network of open) {
      if (await agreesOn(core, network, log)) open.delete(network);
    }
  };
  const attempts = async () => {
    while (open.size > 0 && !draining.aborted) {
      await delay(retryMs, undefined, { signal: draining });
      await attempt().catch((error: unknown) => {
        if (error instanceof AnchoredLogDiffers) throw error;
        if (String(error) !== String(last)) log.warn({ err: error }, untold);
        last = error;
      });
    }
  };
  await Promise.all(configured.map(({ gateway }) => connected(gateway)));
  await attempt().catch((error: unknown) => {
    if (error instanceof AnchoredLogDiffers) throw error;
    log.warn({ err: error }, untold);
    last = error;
  });
  const agreed = new Promise<void>((resolve) => {
    attempts().then(resolve, (error: unknown) => {
      if (!draining.aborted) fail(error);
    });
  });
  return { agrees: () => open.size === 0, agreed };
}

const untold =
  'the log cannot be compared with its last checkpoint on the ledger: nothing is signed until it can';

async function agreesOn(
  { store, leaves }: Core,
  { gateway, checkpointSigner }: NetworkParts,
  log: Program['log'],
): Promise<boolean> {
  const account = checkpointSigner?.address ?? null;
  const found = await compareAnchored({ store, leaves, gateway, account });
  if (found.status === 'agrees') {
    if (found.last) log.info(found.last, 'the log agrees with its last checkpoint on the ledger');
    return true;
  }
  if (found.status !== 'untold') throw new AnchoredLogDiffers(found);
  throw new Error(
    `what ${found.account} anchored before ledger ${found.searchedFrom} is told by no server of ` +
      `${gateway.network}: add one with more history`,
  );
}

/** Or not: every server has been tried once by then, or takes long. */
async function connected(gateway: LedgerGateway): Promise<void> {
  const tried = () => gateway.servers().every(({ state }) => state !== 'connecting');
  const first = gateway.status.pipe(
    filter((status) => status.connected || tried()),
    timeout(firstMs),
  );
  await firstValueFrom(first).catch(() => null);
}
