import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../src/config.ts';
import { startStandaloneNetwork } from '../../src/embedded/standalone-network.ts';
import {
  carryOut,
  planRestore,
  type RestorePlan,
} from '../../src/transparency-log/restore/restore-log.ts';
import { askOperator } from '../ask-operator.ts';
import { holdStill } from '../hold-still.ts';
import { type OperatorNetwork, openNetworks } from '../ledger-gateways.ts';
import { operation } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';
import { openProgressLine } from '../progress-line.ts';
import { planInWords, restoredInWords } from '../restore-in-words.ts';

/** Adds `log restored`. */
export function addLogRestoredCommand(group: Command): void {
  const restored = group
    .command('restored')
    .description('take a restored database up as a new epoch of the log; the service is stopped')
    .option('--yes', 'do not ask')
    .option('--out <file>', 'where to list what was lost (default: in DATA_DIR)');
  operation<[], { yes?: true; out?: string }>(
    restored,
    async (session, _args, { yes, out }) => {
      const config = loadConfig(process.env);
      return withStillNetworks(config, session, async (networks) => {
        const progress = openProgressLine('ledgers');
        const plan = await planRestore(session, networks, (line) => progress.say(line));
        progress.end();
        if (plan === null) {
          return {
            json: { restored: false },
            text: 'nothing is lost: this is the log that was published and anchored',
          };
        }
        await agree(plan, yes === true);
        const names = plan.accounts.map(
          ({ ledgerId, account }) => `anchoring ${ledgerId} ${account}`,
        );
        const letGo = await holdStill(session.url, names);
        try {
          return await restore(session, plan, out ?? defaultFile(config, plan));
        } finally {
          await letGo();
        }
      });
    },
    { uncompared: true },
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

/** Rejects unless the operator agrees. */
async function agree(plan: RestorePlan, isAgreed: boolean): Promise<void> {
  process.stderr.write(`${planInWords(plan)}\n`);
  if (isAgreed) return;
  const answer = await askOperator('Type "lost" to go on: ');
  if (answer === null) throw new Error('nothing was changed: say --yes to go on');
  if (answer.trim() !== 'lost') throw new Error('nothing was changed');
}

/** With the ledgers, the standalone one started where it is the one; and with nobody else at work. */
async function withStillNetworks<Result>(
  config: Config,
  session: OperatorSession,
  work: (networks: readonly OperatorNetwork[]) => Promise<Result>,
): Promise<Result> {
  const letGo = await holdStill(session.url, ['sealing']);
  const { dataDir, standaloneCloseMs: closeMs } = config;
  const isStandalone = Object.keys(config.networks).length === 0;
  const standalone = isStandalone ? await startStandaloneNetwork({ dataDir, closeMs }) : null;
  const networks = await openNetworks(config);
  try {
    return await work(networks);
  } finally {
    await Promise.all(networks.map(({ gateway }) => gateway.close()));
    await standalone?.stop();
    await letGo();
  }
}
