import { fetchValidatorList } from '../ledger/fetch-validator-list.ts';
import { openValidatorFeed } from '../ledger/validator-feed.ts';
import type { PendingLedger } from '../reactors/attesting/attesting-fold.ts';
import { type RunningAttesting, runAttesting } from '../reactors/attesting/run-attesting.ts';
import { createReactorCheckpoints } from '../subscriptions/reactor-checkpoint.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

/** Starts to collect the word of the validators of every network whose lists are configured. */
export async function startAttesting(
  { log, parts }: Program,
  { url, database, store, signal, tail }: Core,
  configured: readonly NetworkParts[],
): Promise<RunningAttesting[]> {
  const heard = configured.filter(({ validatorLists }) => validatorLists.length > 0);
  if (heard.length === 0) return [];
  const locks = openWorkLocks(url);
  parts.add('locks of attesting', () => locks.close());
  return Promise.all(
    heard.map(async ({ gateway: { network }, ledger, urls, books, validatorLists }) => {
      const feed = openValidatorFeed({
        urls,
        books,
        onTrouble: (server, reason) =>
          log.info({ network, server, reason }, 'validators are not heard through this server'),
      });
      const running = await runAttesting({
        ...{ network, store, tail, signal, locks, feed, ledger },
        checkpoints: createReactorCheckpoints(database.db),
        lists: validatorLists,
        fetchList: fetchValidatorList,
        onError: (err) => log.warn({ err, network }, 'attesting of ledgers failed; retrying'),
        onListTrouble: (list, err) =>
          log.warn(
            { err, network, list },
            'the list of validators cannot be read; the lists on record are used until it can',
          ),
        onFalseServer: (server) =>
          log.warn(
            { network, server },
            'ledger server sends invalid signatures of validators; ignoring its messages about validators while it does, and using those of other servers',
          ),
        onForked: ({ ledgerIndex, ledgerHash }) =>
          log.error(
            { network, ledgerIndex, ledgerHash },
            'a ledger that a server showed as validated is not in the chain that the validators signed; compare the servers of this network',
          ),
        onGivenUp: (ledgers) =>
          log.error(
            { network, ledgers: ledgers.length, ...rangeOf(ledgers) },
            'validations of ledgers were missed, and no chain of headers is short enough; proofs in these ledgers depend on a server with history',
          ),
      });
      parts.add(`${network} attesting`, () => running.stop());
      return running;
    }),
  );
}

/** Lowest and highest index of these ledgers. */
function rangeOf(ledgers: readonly Pick<PendingLedger, 'ledgerIndex'>[]) {
  const ascending = ledgers.map(({ ledgerIndex }) => ledgerIndex).sort((a, b) => a - b);
  return { firstLedger: ascending[0], lastLedger: ascending.at(-1) };
}
