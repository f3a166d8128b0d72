import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../src/config.ts';
import { startStandaloneNetwork } from '../../src/embedded/standalone-network.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import {
  carryOut,
  planRestore,
  type RestorePlan,
} from '../../src/transparency-log/restore/restore-log.ts';
import { type OperatorNetwork, openNetworks } from '../ledger/ledger-gateways.ts';
import { lockOutService } from '../session/lock-out-service.ts';
import { operation } from '../session/operation.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { askOperator } from '../terminal/ask-operator.ts';
import { openProgressLine } from '../terminal/progress-line.ts';
import { planInWords, restoredInWords } from '../terminal/restore-in-words.ts';

export function addLogRestoredCommand(group: Command): void {
  const restored = group
    .command('restored')
    .description('continue a restored database as a new epoch of the log; stop the service first')
    .option('--yes', 'do not ask')
    .option('--out <file>', 'where to write the list of lost proofs (default: in DATA_DIR)');
  operation<[], { yes?: true; out?: string }>(
    restored,
    async (session, _args, { yes, out }) => {
      const config = loadConfig(process.env);
      return withExclusiveNetworks(config, session, async (networks) => {
        const progress = openProgressLine('ledgers');
        const plan = await planRestore(session, networks, (line) => progress.say(line));
        progress.end();
        if (plan === null) {
          return {
            json: { restored: false },
            text: 'nothing is lost: the database agrees with the published and anchored log',
          };
        }
        await agree(plan, yes === true);
        const names = plan.accounts.map(
          ({ ledgerId, account }) => `anchoring ${ledgerId} ${account}`,
        );
        const release = await lockOutService(session.url, names);
        try {
          return await restore(session, plan, out ?? defaultFile(config, plan));
        } finally {
          await release();
        }
      });
    },
    // The files may be lost: the log is published again then.
    { uncompared: true, createsStorage: true },
  );
}

async function restore(session: OperatorSession, plan: RestorePlan, file: string) {
  const line = openProgressLine('transactions');
  const done = await carryOut(session, plan, {
    progress: (count, total) => line.update('reconciling', count, total),
    async report(reconciled) {
      await mkdir(dirname(file), { recursive: true });
      const listed = { ...plan.restored, ...reconciled };
      await writeFile(file, `${JSON.stringify(listed, null, 2)}\n`);
    },
  });
  line.end();
  const json = { restored: true, ...plan.restored, ...done, file };
  return { json, text: restoredInWords(plan, done, file) };
}

function defaultFile({ dataDir }: Config, { restored: { epoch } }: RestorePlan): string {
  return join(dataDir, `log-restored-${epoch}.json`);
}

/** Rejects if the operator does not agree. */
async function agree(plan: RestorePlan, isAgreed: boolean): Promise<void> {
  process.stderr.write(`${planInWords(plan)}\n`);
  if (isAgreed) return;
  const answer = await askOperator('Type "lost" to continue: ');
  if (answer === null)
    throw new OperatorError(
      'nothing was changed: run the command with --yes to continue without a question',
    );
  if (answer.trim() !== 'lost')
    throw new OperatorError('nothing was changed: "lost" was not typed');
}

/**
 * Runs the work with connected ledgers while no process of the service publishes the log. Starts
 * the standalone ledger if no other network is configured.
 */
async function withExclusiveNetworks<Result>(
  config: Config,
  session: OperatorSession,
  work: (networks: readonly OperatorNetwork[]) => Promise<Result>,
): Promise<Result> {
  const release = await lockOutService(session.url, ['sealing']);
  const { dataDir, standaloneCloseMs: closeMs } = config;
  const isStandalone = Object.keys(config.networks).length === 0;
  const standalone = isStandalone ? await startStandaloneNetwork({ dataDir, closeMs }) : null;
  const networks = await openNetworks(config);
  try {
    return await work(networks);
  } finally {
    await Promise.all(networks.map(({ gateway }) => gateway.close()));
    await standalone?.stop();
    await release();
  }
}
