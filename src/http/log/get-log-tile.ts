import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import type { ProvingDeps } from '../../transparency-log/inclusion/prove-event.ts';
import { readPublishedTile } from '../../transparency-log/inclusion/read-published-tile.ts';
import { lastPublished } from '../../transparency-log/published/published-checkpoints.ts';
import { parseTilePath } from '../../transparency-log/tree/tile.ts';
import { defineOpenRoute } from '../route.ts';

export const getLogTile = defineOpenRoute({
  operationId: 'getLogTile',
  tag: 'Published log',
  method: 'GET',
  path: '/log/tile/*tile',
  scope: null,
  summary: 'A tile of the tree: 256 concatenated hashes, or fewer in a partial tile',
  description:
    'The path is `/log/tile/<L>/<N>[.p/<W>]`, as specified by ' +
    '[tlog-tiles](https://c2sp.org/tlog-tiles). Tiles contain hashes only; the contents of events ' +
    'are not published.',
  params: {
    schema: z.object({
      tile: z.string().meta({
        description: 'level, index in groups of three digits, and the width of a partial tile',
        examples: ['0/x001/234'],
      }),
    }),
  },
  responses: {
    200: {
      description: 'the hashes, 32 bytes each',
      headers: ['Cache-Control'],
      mediaType: 'application/octet-stream',
      example: '…',
    },
  },
  refusals: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ params }, { db, published }: Pick<ProvingDeps, 'db' | 'published'>) => {
    const tile = parseTilePath(`tile/${params.tile.replace(/\/$/, '')}`);
    if (params.tile.startsWith('entries/')) {
      throw new Refusal(
        'NOT_FOUND',
        'the contents of events are not published; request a tile of hashes',
      );
    }
    if (tile === null)
      throw new Refusal('INVALID_REQUEST', 'tile: must be <L>/<N> or <L>/<N>.p/<W>');
    const bytes = await readPublishedTile(published, () => lastPublished(db), tile);
    if (bytes === null) throw new Refusal('NOT_FOUND', 'the published tree has no such tile yet');
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/octet-stream',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
      body: bytes,
    };
  },
});
