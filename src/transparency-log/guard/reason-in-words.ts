import type {
  AnchoredDifference,
  Difference,
  Forgotten,
  HistoryEnds,
  PublishedDifference,
  RestoreUnfinished,
} from './verdict.ts';

/** Message for the operator: what was found, the consequence, and the next action. */
export function reasonInWords(reason: Difference | HistoryEnds | RestoreUnfinished): string {
  switch (reason.status) {
    case 'history-ends':
      return (
        `no server of ${reason.network} shows the transactions of ${reason.account} before ledger ` +
        `${reason.searchedFrom}: add a server with more history`
      );
    case 'restore-unfinished':
      return (
        `epoch ${reason.epoch} of the log was opened, but the transactions on the ledger were not reconciled: ` +
        'run `ops log restored` again'
      );
    case 'forgotten':
      return `${forgottenInWords(reason)}. ${unsigned}`;
    case 'anchored-beyond':
    case 'anchored-otherwise':
    case 'anchored-later-epoch':
      return `${anchoredInWords(reason)}. ${unsigned}`;
    default:
      return `${publishedInWords(reason)}. Nothing is appended`;
  }
}

const unsigned =
  'Nothing is signed. If the database was restored from a backup and later events ' +
  'are lost, `ops log restored` continues it as a new epoch of the ' +
  'log, lists what was lost, and reconciles the transactions that this database does not know';

function forgottenInWords({ network, account, transactions }: Forgotten): string {
  const oldest = transactions.at(-1);
  return (
    `${account} has sent ${transactions.length} transactions on ${network} with proofs or checkpoints ` +
    `that this database does not know, the first being ${oldest?.hash} in ledger ` +
    `${oldest?.ledgerIndex}. If another log signs with this account, give each an account of its own`
  );
}

function anchoredInWords(difference: AnchoredDifference): string {
  const { last } = difference;
  const { origin, size, rootHash, network, transactionHash, ledgerIndex } = last;
  const what =
    `${origin} was anchored on ${network} up to event ${size} (root ${rootHash}, transaction ` +
    `${transactionHash} in ledger ${ledgerIndex})`;
  switch (difference.status) {
    case 'anchored-beyond':
      return `${what}, but the database ends at event ${difference.head}`;
    case 'anchored-otherwise':
      return `${what}, but the database has the root ${difference.rootHash} there`;
    case 'anchored-later-epoch':
      return `${what}, but the database is still in epoch ${difference.epoch}`;
  }
}

const restoredAdvice =
  'If the database was restored from a backup and later events are lost, ' +
  '`ops log restored` continues it as a new epoch of the log, and lists what was lost';

function publishedInWords(difference: PublishedDifference): string {
  if (difference.status === 'storage-empty') {
    const { origin, size } = difference;
    return (
      `the storage at STORAGE_URL holds no checkpoint, but ${origin} was published there up to ` +
      `event ${size}: check that it is mounted and that STORAGE_URL is right. If the published log is lost, ` +
      '`ops log restored` publishes the log again, as a new epoch'
    );
  }
  if (difference.status === 'other-log') {
    return (
      `the storage at STORAGE_URL is that of log ${difference.origin}, but the database holds log ` +
      `${difference.logId}: two databases must not share a storage; correct STORAGE_URL or DATABASE_URL`
    );
  }
  if (difference.status === 'older-epoch') {
    return (
      `${difference.origin} was opened, but the database is still in epoch ${difference.epoch}: it is a ` +
      `copy from before the restore. ${restoredAdvice}`
    );
  }
  if (difference.status === 'behind') {
    const { origin, by, position, differsAt, head } = difference;
    const known =
      by === 'submitted'
        ? `${origin} had reached event ${position} when a transaction was submitted`
        : `a tile of ${origin} was stored that goes up to event ${position}`;
    if (differsAt === null) return `${known}, but ${endOf(head)}`;
    return (
      `${known}, but the database has another event at position ${differsAt}: it continued from an ` +
      `older copy. ${restoredAdvice}`
    );
  }
  const { last } = difference;
  const what = `${last.origin} was published up to event ${last.size} (root ${last.root.toString('base64')})`;
  switch (difference.status) {
    case 'shorter':
      return `${what}, but ${endOf(difference.head)}`;
    case 'forked':
      return (
        `${what}, but the database has another event at position ${difference.position}: it ` +
        `continued from an older copy. ${restoredAdvice}`
      );
    case 'storage-damaged':
      return (
        `${what}, but its tiles under STORAGE_URL are missing or do not belong to it: restore them ` +
        'from a copy. If they are lost, `ops log restored` publishes the log again, ' +
        'as a new epoch'
      );
  }
}

/** Omits the advice to restore for an empty database, since it holds no log. */
function endOf(head: number): string {
  if (head > 0) return `the database ends at event ${head}. ${restoredAdvice}`;
  return 'the database is empty: check DATABASE_URL and DATA_DIR. If the database was lost, restore a backup';
}
