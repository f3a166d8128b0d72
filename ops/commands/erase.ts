import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import { confirmErasure } from '../erasing/confirm-erasure.ts';
import {
  type ErasureStep,
  eraseOrganisation,
  organisationToErase,
} from '../erasing/erase-organisation.ts';
import { isIdle, unfinishedWorkInWords } from '../erasing/unfinished-work.ts';
import { operation } from '../session/operation.ts';
import { idArgument } from '../terminal/arguments.ts';

export function addEraseCommand(group: Command): void {
  const erase = group
    .command('erase')
    .description(
      'permanently erase its keys, read models, delivery log and files; history still verifies',
    )
    .argument('<organisation>', 'id of the organisation', idArgument<OrganisationId>)
    .option('--yes', 'do not ask for the name of the organisation');
  operation<[OrganisationId], { yes?: boolean }>(erase, async (session, [organisationId], opts) => {
    const state = await organisationToErase(session.store, organisationId);
    if (state.status === 'open' && opts.yes !== true) await confirmErasure(state);
    const { storageUrl, storageCredentials, dataDir } = loadConfig(process.env);
    const staging = join(dataDir, 'staging');
    const storage = await openObjectStorage(storageUrl, staging, storageCredentials, {
      mayCreate: false,
    });
    try {
      await eraseOrganisation(session, storage, organisationId, progress());
    } finally {
      await storage.close();
    }
    const text = `organisation ${organisationId} is erased. ${leftElsewhere}`;
    return { json: { organisationId, erased: true }, text };
  });
}

/** Copies that the command cannot reach. The operating guide lists them too. */
const leftElsewhere =
  'Copies of its rows and of its wrapped keys are still in backups, in WAL until it is recycled, in archives of WAL, ' +
  'and on replicas that have not followed. Versions of a bucket and snapshots of disks keep its files.';

/** Writes a line to standard error for each step, and when the unfinished work changes. */
function progress(): (step: ErasureStep) => void {
  let shown = '';
  return (step) => {
    const line = stepInWords(step);
    if (line === shown) return;
    shown = line;
    process.stderr.write(`${line}\n`);
  };
}

function stepInWords(step: ErasureStep): string {
  switch (step.step) {
    case 'closed':
      return 'organisation closed: nothing new is accepted';
    case 'waiting':
      return isIdle(step.unfinished)
        ? 'no work is in flight'
        : `waiting for work in flight: ${unfinishedWorkInWords(step.unfinished)}`;
    case 'noted':
      return 'erasure recorded in the storage';
    case 'keys destroyed':
    case 'read models dropped':
    case 'files deleted':
      return step.step;
    case 'vacuumed':
      return step.skipped.length === 0
        ? 'tables vacuumed'
        : `tables not vacuumed (their owner must run VACUUM (ANALYZE), and if one is empty, a superuser: DELETE FROM pg_statistic WHERE starelid = 'TABLE'::regclass): ${step.skipped.join(', ')}`;
  }
}
