import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { readOrCreateLogKey } from '../../src/embedded/log-key.ts';
import { currentOrigin } from '../../src/transparency-log/current-origin.ts';
import { createLogKeys } from '../../src/transparency-log/publish/create-log-keys.ts';
import { lastPublished } from '../../src/transparency-log/published/published-checkpoints.ts';
import { anchorCheckpoint } from '../ledger/anchor-checkpoint.ts';
import { checkpointAccount } from '../ledger/ledger-gateways.ts';
import { operation } from '../session/operation.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { openProgressLine } from '../terminal/progress-line.ts';
import { addLogRestoredCommand } from './log-restored.ts';

const keepAll =
  'Send all of them to auditors: a certificate is checked with the key that signed it.';

export function addLogCommands(program: Command): void {
  const group = program.command('log').description('keys and checkpoints of the published log');

  const key = group
    .command('key')
    .description('the keys of all epochs of the log, and the last published event');
  operation<[], object>(key, async ({ store, db }) => {
    const config = loadConfig(process.env);
    const origin = await currentOrigin(store);
    const last = await lastPublished(db);
    const seeds = config.logKeys?.map((secret) => secret.reveal()) ?? [
      ...(config.databaseUrl === null
        ? [await readOrCreateLogKey(config.dataDir, { mayCreate: last === null })]
        : []),
    ];
    const vkeys = await createLogKeys({ origin, history: db, seeds })();
    const published = last === null ? null : { origin: last.origin, size: last.size };
    const size = last === null ? 'nothing is published yet' : `published up to event ${last.size}`;
    return {
      json: { origin, vkeys, published },
      text: [...vkeys, ...(vkeys.length > 1 ? [keepAll] : []), `${origin}: ${size}`].join('\n'),
    };
  });

  const checkpoint = group
    .command('checkpoint')
    .description(
      'anchor a checkpoint of the current log on the ledger; the service must be running',
    )
    .option('--timeout <seconds>', 'how long to wait until it is anchored', wholeNumber, 120);
  operation<[], { timeout: number }>(checkpoint, async (session, _args, { timeout }) => {
    const account = await checkpointAccount(loadConfig(process.env));
    const progress = openProgressLine('events');
    const timeoutMs = timeout * 1_000;
    const { anchored, isNew } = await anchorCheckpoint(session, { account, timeoutMs, progress });
    const { origin, size, rootHash, transactionHash, ledgerId, ledgerIndex, closeTimeIso } =
      anchored;
    const outcome = isNew ? 'anchored' : 'already anchored, and no event was appended since';
    return {
      json: { origin, size, rootHash, transactionHash, ledgerId, ledgerIndex, closeTimeIso, isNew },
      text: [
        `${origin}: ${outcome}`,
        `size         ${size}`,
        `root         ${rootHash}`,
        `transaction  ${transactionHash}`,
        `ledger       ${ledgerIndex} of ${ledgerId}, closed at ${closeTimeIso}`,
      ].join('\n'),
    };
  });
  addLogRestoredCommand(group);
}
