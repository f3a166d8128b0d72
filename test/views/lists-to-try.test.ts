import { test } from 'tap';
import type { RecordedList } from '../../src/loading/load-attestation.ts';
import { listsToTry } from '../../src/views/lists-to-try.ts';
import { type ListOptions, syntheticNetwork } from '../support/synthetic-network.ts';

const networks = [syntheticNetwork(4, 'first'), syntheticNetwork(4, 'second')] as const;
const closeTime = 1_000;

function recorded(
  sequence: number,
  times: ListOptions = {},
  { publisherKey, list } = networks[0] as (typeof networks)[number],
): RecordedList {
  const { manifest, blob, signature } = list({ sequence, ...times });
  return { network: 'testnet', publisherKey, sequence, manifest, blob, signature };
}

test('tries the named list, then the next four of its publisher that were in force', (t) => {
  const lists = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((sequence) =>
    recorded(sequence, sequence === 5 ? { effective: closeTime + 1 } : {}),
  );
  const other = recorded(4, {}, networks[1]);
  const named = [{ publisherKey: networks[0].publisherKey, sequence: 3 }];
  const tried = listsToTry([...lists, other], named, closeTime);
  t.strictSame(
    tried.map(({ sequence }) => sequence),
    [3, 4, 6, 7, 8],
  );
  t.notOk(tried.includes(other), 'a list of another publisher is no quorum');
  t.end();
});

test('does not try lists that had expired or were not effective yet', (t) => {
  const lists = [
    recorded(1, { expiration: closeTime }),
    recorded(2, { effective: closeTime + 1 }),
    recorded(3, { expiration: closeTime + 1 }),
  ];
  const named = [{ publisherKey: networks[0].publisherKey, sequence: 1 }];
  t.strictSame(listsToTry(lists, named, closeTime), [lists[2]]);
  t.end();
});
