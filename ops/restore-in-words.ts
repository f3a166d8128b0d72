import type { LogRestored } from '../src/domain/log/events.ts';
import type { LostOn, RestorePlan } from '../src/transparency-log/restore/restore-log.ts';

/** What an operator is asked to agree to. */
export function planInWords({ restored, head, isResumed, accounts }: RestorePlan): string {
  const unknown = accounts.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return [
    `this database holds ${head} events; up to event ${restored.keptSize} (root ${restored.keptRootHash}) ` +
      'they are known to be what was published or anchored',
    ...lossesOf(restored),
    `${unknown} transactions of our accounts on the ledger are not known to it`,
    isResumed
      ? `epoch ${restored.epoch} is open, and is to be completed`
      : `epoch ${restored.epoch} of the log is to be opened: what is lost stays lost`,
  ].join('\n');
}

/** What was done. */
export function restoredInWords(
  { restored }: RestorePlan,
  { recovered, lost }: { readonly recovered: number; readonly lost: readonly LostOn[] },
  file: string,
): string {
  const proofs = lost.filter(({ anchored }) => anchored === 'proof').length;
  return [
    `epoch ${restored.epoch} of the log has begun; up to event ${restored.keptSize} it is the one before`,
    ...lossesOf(restored),
    `${recovered} proofs got their transactions back`,
    `${proofs} proofs are lost, with ${lost.length - proofs} other transactions: listed in ${file}`,
  ].join('\n');
}

function lossesOf({ published, anchored, reached }: LogRestored['data']): string[] {
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
    ...(reached === null ? [] : [`what has left it goes on up to event ${reached} at least`]),
  ];
}
