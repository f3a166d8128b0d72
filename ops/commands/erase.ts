import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { openBlobStorage } from '../../src/storage/open-blob-storage.ts';
import { id } from '../arguments.ts';
import { confirmErasure } from '../confirm-erasure.ts';
import { type ErasureStep, eraseOrganisation, organisationToErase } from '../erase-organisation.ts';
import { inFlightInWords, isIdle } from '../in-flight.ts';
import { operation } from '../operation.ts';

/** Adds `organisation erase` to the commands on organisations. */
export function addEraseCommand(group: Command): void {
  const erase = group
    .command('erase')
    .description(
      'erase it for ever: keys, read models, delivery log, files; history still verifies',
    )
    .argument('<organisation>', 'its id', id<OrganisationId>)
    .option('--yes', 'without asking for its name');
  operation<[OrganisationId], { yes?: boolean }>(erase, async (session, [organisationId], opts) => {
    const state = await organisationToErase(session.store, organisationId);
    if (state.status === 'open' && opts.yes !== true) await confirmErasure(state);
    const { storageUrl, dataDir } = loadConfig(process.env);
    const storage = await openBlobStorage(storageUrl, join(dataDir, 'staging'));
    try {
      await eraseOrganisation(session, storage, organisationId, progress());
    } finally {
      await storage.close();
    }
    const text = `organisation ${organisationId} is erased; backups still hold it and its keys`;
    return { json: { organisationId, erased: true }, text };
  });
}

/** A line on standard error for each step, and whenever what is waited for changes. */
function progress(): (step: ErasureStep) => void {
  let said = '';
  return (step) => {
    const line = stepInWords(step);
    if (line === said) return;
    said = line;
    process.stderr.write(`${line}\n`);
  };
}

function stepInWords(step: ErasureStep): string {
  switch (step.step) {
    case 'closed':
      return 'closed: nothing new is accepted';
    case 'waiting':
      return isIdle(step.inFlight)
        ? 'nothing is in flight'
        : `waiting until nothing is in flight: ${inFlightInWords(step.inFlight)}`;
    case 'noted':
      return 'noted outside the database';
    case 'keys destroyed':
    case 'read models dropped':
    case 'files deleted':
      return step.step;
    case 'vacuumed':
      return step.skipped.length === 0
        ? 'tables vacuumed'
        : `not vacuumed, which their owner must do: ${step.skipped.join(', ')}`;
  }
}
