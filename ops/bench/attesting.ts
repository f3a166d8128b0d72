import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { benchmark, count } from './harness/benchmark.ts';
import { createBenchFolder } from './harness/clean-up.ts';
import { round } from './harness/figures.ts';
import { watchProcessorTimes } from './harness/processor-times.ts';
import { startLedger } from './harness/programs.ts';
import { progress } from './harness/progress.ts';
import { compareInTurn } from './harness/rounds.ts';
import { type ProofsSystem, startProofsSystemOn } from './proofs/system.ts';

const target = { cost: 0.05 } as const;
const warmUpMs = 2_000;
const openLedgerLimit = 2_000;

/**
 * Processor time of a proof, of service and PostgreSQL together, with and without recording the
 * signatures of the ledger's validators. Two services on one ledger take turns.
 */
export const attesting = benchmark({
  name: 'attesting',
  description: 'processor time of a proof with and without the signatures of validators',
  options: {
    callers: count('concurrent callers', 200),
    accounts: count('accounts of each service', 4),
    seconds: count('seconds of each turn', 10),
    rounds: count('turns of each service, after one to warm up', 4),
    closeMs: count('milliseconds between two ledgers', 1_000),
  },
  async measure({ callers, accounts, seconds, rounds, closeMs }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const ledger = await startLedger(
      join(dataDir, 'ledger'),
      { closeMs, openLedgerLimit },
      cleanUp,
    );
    const lists = { without: 'none', with: await validatorList(ledger.url) };
    const start = (name: keyof typeof lists) => {
      const settings = { XRPL_TESTNET_VALIDATOR_LISTS: lists[name], METRICS_PORT: 'off' };
      return startProofsSystemOn(
        { ledger, dataDir: join(dataDir, name), accounts, settings },
        cleanUp,
      );
    };
    const systems = { without: await start('without'), with: await start('with') };
    const perSecond: Record<string, number[]> = { without: [], with: [] };
    const compared = await compareInTurn(
      ['without', 'with'],
      { rounds, digits: 3 },
      async (name, turn) => {
        progress(turn);
        const { ms, proofs } = await costOf(systems[name], callers, seconds);
        perSecond[name]?.push(round(proofs / seconds, 1));
        return proofs === 0 ? Number.NaN : round(ms / proofs, 3);
      },
    );
    return {
      postgres: systems.with.service.postgres,
      setting: { callers, accounts, seconds, ledgerCloseMs: closeMs, validators: 4 },
      results: { processorMsPerProof: compared, proofsPerSecond: perSecond },
      target,
      met: (compared.cost.with ?? Number.POSITIVE_INFINITY) <= target.cost,
    };
  },
});

/** URL and publisher's key of the ledger's list, as the service is configured with them. */
async function validatorList(ledgerUrl: string): Promise<string> {
  const url = `${ledgerUrl.replace(/^ws/, 'http')}/validator-list.json`;
  const { public_key: key } = (await (await fetch(url)).json()) as { public_key: string };
  return `${url}=${key}`;
}

async function costOf(
  { callers, account, pids, died }: ProofsSystem,
  many: number,
  seconds: number,
) {
  const work = async () => {
    await callers.ask('start', { account, callers: many });
    await delay(warmUpMs);
    const timesSince = await watchProcessorTimes(pids);
    await callers.ask('begin');
    await delay(seconds * 1_000);
    const { proofs } = await callers.ask('whole');
    const { service, postgres } = await timesSince();
    await callers.ask('stop');
    return { ms: service + postgres, proofs };
  };
  return Promise.race([work(), died]);
}
