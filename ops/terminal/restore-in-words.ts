import type { LogRestored } from '../../src/domain/log/events.ts';
import type { Reconciled, RestorePlan } from '../../src/transparency-log/restore/restore-log.ts';

/** Plan that the operator must agree to. */
export function planInWords({ restored, head, isResumed, accounts }: RestorePlan): string {
  const unknown = accounts.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return [
    `this database holds ${head} events; events up to ${restored.keptSize} (root ${restored.keptRootHash}) ` +
      'agree with the published and anchored log',
    ...lossesOf(restored),
    `the database does not know ${unknown} transactions of our accounts on the ledger`,
    isResumed
      ? `epoch ${restored.epoch} of the log is already open: this run completes the restore`
      : `epoch ${restored.epoch} of the log will be opened: lost events cannot be recovered afterwards`,
  ].join('\n');
}

/** Result of the restore. */
export function restoredInWords(
  { restored }: RestorePlan,
  { recovered, givenUp, lost }: Reconciled,
  file: string,
): string {
  const proofs = lost.filter(({ anchored }) => anchored === 'proof').length;
  return [
    `epoch ${restored.epoch} of the log is open; it continues the previous epoch after event ${restored.keptSize}`,
    ...lossesOf(restored),
    `${recovered} proofs were completed with their transactions on the ledger`,
    ...(givenUp.length === 0
      ? []
      : [`${givenUp.length} proofs were recorded as given up again: see the list in ${file}`]),
    `${proofs} proofs and ${lost.length - proofs} other transactions are lost: see the list in ${file}`,
  ].join('\n');
}

function lossesOf({ published, anchored, reached, earlier }: LogRestored['data']): string[] {
  const line = (how: string, of: { origin: string; size: number; rootHash: string }) =>
    `${how}: ${of.origin} up to event ${of.size} (root ${of.rootHash})`;
  return [
    ...(published === null ? [] : [line('published before', published)]),
    ...(anchored === null
      ? []
      : [
          `${line('anchored before', anchored)}, transaction ${anchored.transactionHash} in ledger ` +
            `${anchored.ledgerIndex} of ${anchored.network}`,
        ]),
    ...(reached === null ? [] : [`the lost log reached at least event ${reached}`]),
    ...earlier
      .filter(({ keptSize }) => keptSize === null)
      .map(({ epoch }) => `epoch ${epoch} and the event that recorded its restore are lost`),
  ];
}
