import { z } from 'zod';
import type { CheckpointAnchor } from '../../../projections/checkpoint-anchors/query.ts';
import { checkpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { isOnNetwork, networks } from '../../domain/network.ts';
import { cosignedNote } from '../../transparency-log/published/cosigned-checkpoints.ts';
import { explorerUrl } from '../../views/explorer-url.ts';
import type { KnownLedgers } from '../../views/known-ledgers.ts';
import { time, transactionHash, url } from '../../views/output-fields.ts';
import type { FoundCheckpoint } from './find-checkpoints.ts';
import { inclusion } from './inclusion-example.ts';

/** A published checkpoint with all evidence on record. */
export const listedCheckpoint = z
  .object({
    number: z.int().min(1).meta({
      description: 'Counts the published checkpoints from 1, without gaps, across epochs.',
    }),
    checkpoint: z.string().meta({
      description: 'The checkpoint as published: a signed note with the cosignatures on record.',
    }),
    logKeys: z.array(z.string()).meta({
      description: 'Keys of the log that signed it. Trust only keys that you know elsewhere.',
    }),
    anchor: z
      .object({
        network: z.enum([...networks, 'standalone']),
        standalone: z.boolean().meta({
          description: 'true for a development ledger, which has no evidential value',
        }),
        transactionHash,
        explorerUrl: url.nullable().meta({
          description: 'The transaction in a public explorer; null for a standalone ledger.',
        }),
        ledgerIndex: z.int().min(0),
        ledgerCloseTime: time,
        memo: z.string().meta({ description: 'Data of the memo of the transaction.' }),
      })
      .nullable()
      .meta({ description: 'The transaction on the ledger; null if it is not anchored.' }),
    timestamp: z
      .object({
        time: time.meta({ description: 'Time in the token.' }),
        authority: z.string().meta({
          description: 'Subject of the certificate that signed the token.',
        }),
        token: z.string().meta({
          description:
            'Time-stamp token (RFC 3161): DER in base64. It is of the SHA-256 of the first three lines ' +
            'of the checkpoint.',
        }),
      })
      .nullable()
      .meta({ description: 'Its time-stamp token; null if it has none.' }),
  })
  .meta({ id: 'LogCheckpoint' });

type ListedCheckpoint = z.infer<typeof listedCheckpoint>;

export interface CheckpointViewDeps {
  readonly ledgers: KnownLedgers;
  readonly publicUrl: () => string;
}

export function viewCheckpoints(
  deps: CheckpointViewDeps,
  checkpoints: readonly FoundCheckpoint[],
): Promise<ListedCheckpoint[]> {
  return Promise.all(
    checkpoints.map(async ({ published, anchor, timestamp }) => ({
      number: published.number,
      checkpoint: cosignedNote(published),
      logKeys: [...published.vkeys],
      anchor: anchor && (await viewAnchor(deps, anchor)),
      timestamp: timestamp && {
        time: timestamp.time,
        authority: timestamp.authority,
        token: timestamp.token,
      },
    })),
  );
}

async function viewAnchor({ ledgers, publicUrl }: CheckpointViewDeps, anchor: CheckpointAnchor) {
  const { ledgerId, transactionHash: hash, ledgerIndex, closedAt } = anchor;
  const standalone = await ledgers.isStandalone(ledgerId);
  const network = networks.find((one) => isOnNetwork(ledgerId, one));
  if (network === undefined) throw new Error(`the ledger ${ledgerId} is on no known network`);
  const shown = { network, standalone, hash, publicUrl: publicUrl() };
  return {
    network: standalone ? ('standalone' as const) : network,
    standalone,
    transactionHash: hash,
    explorerUrl: standalone ? null : explorerUrl(shown),
    ledgerIndex,
    ledgerCloseTime: closedAt,
    memo: checkpointMemo(anchor).data,
  };
}

const exampleHash = '7B2A0E6E0F5E2C7F6D1B9A4C3E8D5F6071829304A5B6C7D8E9F0011223344556';
const [exampleOrigin = ''] = inclusion.checkpoint.split('\n');

/** Example of the shape. Its values are invented, so it does not verify. */
export const listedExample: ListedCheckpoint = {
  number: 1,
  checkpoint: inclusion.checkpoint,
  logKeys: inclusion.logKeys,
  anchor: {
    network: 'mainnet',
    standalone: false,
    transactionHash: exampleHash,
    explorerUrl: `https://livenet.xrpl.org/transactions/${exampleHash}`,
    ledgerIndex: 99_124_301,
    ledgerCloseTime: '2026-11-21T02:00:01.000Z',
    memo: checkpointMemo({ origin: exampleOrigin, size: 3, rootHash: inclusion.rootHash }).data,
  },
  timestamp: {
    time: '2026-11-21T02:00:03.000Z',
    authority: 'C=CH, O=Example Trust, CN=Example TSA 1',
    token: 'MIIE9QYJKoZIhvcNAQcCoIIE5jCCBOICAQMxDTALBglghkgBZQMEAgE=',
  },
};
