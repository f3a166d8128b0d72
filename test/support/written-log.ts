import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { rootOf } from '../../src/transparency-log/tree/frontier.ts';

/** A log written row by row, as an attacker could write it: every leaf fits its row. */
export class WrittenLog {
  readonly rows: EventRow[] = [];

  append(
    stream: string,
    type: string,
    data: object,
    organisationId: string | null = null,
    schema = type === 'ProofRequested' || type === 'AnchorPrepared' ? 2 : 1,
  ): void {
    const position = this.rows.length + 1;
    const version = this.rows.filter((row) => row.stream === stream).length + 1;
    const text = canonicalize(data) ?? '';
    this.rows.push(
      withLeaf({
        ...{ position, stream, version, type, data: text, organisation_id: organisationId },
        event_id: ulidOf(position),
        schema,
        recorded_at: '2026-11-20T23:03:37.104Z',
        meta: '{"actor":"operator"}',
        leaf: Buffer.alloc(32),
      }),
    );
  }

  /** Changes the newest row of a type, and its leaf. */
  rewrite(type: string, change: object): void {
    const at = this.rows.findLastIndex((row) => row.type === type);
    const row = this.rows[at] as EventRow;
    const data = canonicalize({ ...JSON.parse(row.data), ...change }) ?? '';
    this.rows[at] = withLeaf({ ...row, data });
  }

  /** Root of the tree over the first `size` events. */
  root(size = this.rows.length): Buffer {
    return rootOf(this.rows.slice(0, size).map(({ leaf }) => leaf));
  }
}

function withLeaf(row: EventRow): EventRow {
  return { ...row, leaf: leafHash(leafInputOf(row)) };
}

function ulidOf(position: number): string {
  const hash = createHash('sha256').update(`event ${position}`).digest('hex');
  return `01${hash.toUpperCase().slice(0, 24)}`;
}
