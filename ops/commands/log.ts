import type { Command } from 'commander';
import { currentOrigin } from '../../src/commands/compare-log.ts';
import { loadConfig } from '../../src/config.ts';
import { noteSigner } from '../../src/domain/log/note-key.ts';
import { readOrCreateLogKey } from '../../src/embedded/log-key.ts';
import { lastPublished } from '../../src/event-store/published-checkpoints.ts';
import { operation } from '../operation.ts';

/** Adds `log …`. */
export function addLogCommands(program: Command): void {
  const group = program.command('log').description('the log as it is published for auditors');

  const key = group
    .command('key')
    .description('the keys by which checkpoints are checked, and how far they were published');
  operation<[], object>(key, async ({ store, db }) => {
    const config = loadConfig(process.env);
    const origin = await currentOrigin(store);
    const last = await lastPublished(db);
    const seeds = config.logKeys?.map((secret) => secret.reveal()) ?? [
      ...(config.databaseUrl === null
        ? [await readOrCreateLogKey(config.dataDir, { mayCreate: last === null })]
        : []),
    ];
    const configured = seeds.map((seed) => noteSigner(origin, seed).vkey);
    const vkeys = configured.length > 0 ? configured : (last?.vkeys ?? []);
    const published = last === null ? null : { origin: last.origin, size: last.size };
    const size = last === null ? 'nothing is published yet' : `published up to event ${last.size}`;
    return {
      json: { origin, vkeys, published },
      text: [...vkeys, `${origin}: ${size}`].join('\n'),
    };
  });
}
