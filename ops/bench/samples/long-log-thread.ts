import { workerData } from 'node:worker_threads';
import { sql } from 'kysely';
import { CopiedRows, type CopiedType } from '../../../src/event-store/copied-rows.ts';
import { encodeEvent } from '../../../src/event-store/encode.ts';
import type { StreamAppend } from '../../../src/event-store/event-store.ts';
import { createKeyring } from '../../../src/event-store/keyring.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { openStore } from '../harness/open-store.ts';
import { AnchorSigner } from './anchor-signer.ts';
import type { ListedOrganisation } from './listed-proofs.ts';
import { meta, mixedAppends } from './mixed-log.ts';

/** The thread's `workerData`. */
export interface LongLogThread {
  readonly url: string;
  readonly masterKey: Uint8Array;
  readonly events: number;
  /** True if the evidence of anchors is valid, which takes three times as long. */
  readonly hasValidAnchors: boolean;
  readonly own: readonly { readonly organisation: ListedOrganisation; readonly seed: number }[];
  /** Last position that a thread has taken. */
  readonly reached: BigInt64Array;
}

const columns: Readonly<Record<keyof EventRow, CopiedType>> = {
  position: 'bigint',
  organisation_id: 'text',
  stream: 'text',
  version: 'integer',
  event_id: 'text',
  type: 'text',
  schema: 'integer',
  recorded_at: 'text',
  data: 'text',
  meta: 'text',
  leaf: 'bytea',
};
const names = Object.keys(columns) as (keyof EventRow)[];
const rowsAtOnce = 10_000;

const { url, masterKey, events, hasValidAnchors, own, reached } = workerData as LongLogThread;
const { db, pool, close } = openStore(url, {
  masterKey: Buffer.from(masterKey),
  maxConnections: 2,
});
const keyring = createKeyring(pool, Buffer.from(masterKey));
const logs = own.map(({ organisation, seed }) =>
  mixedAppends({
    ...{ organisation, seed, isSettled: true, joinsLedger: hasValidAnchors && seed === 1 },
    ...(hasValidAnchors && { signer: new AnchorSigner() }),
  }),
);
let rows: Omit<EventRow, 'position'>[] = [];
for (let turn = 0; Number(Atomics.load(reached, 0)) < events; turn += 1) {
  const log = logs[turn % logs.length];
  if (log === undefined) break;
  for (const entry of log.next().value) rows.push(...(await encode(entry)));
  if (rows.length < rowsAtOnce) continue;
  await write(rows);
  rows = [];
}
await close();

async function encode(entry: StreamAppend): Promise<Omit<EventRow, 'position'>[]> {
  const { organisationId, stream, expectedVersion } = entry;
  const keys = organisationId === null ? null : await keyring.find(organisationId);
  const recordedAt = new Date().toISOString();
  return entry.events.map((event, index) => {
    const version = expectedVersion + 1 + index;
    return encodeEvent({ organisationId, stream, version, event, meta, recordedAt, keys });
  });
}

async function write(written: readonly Omit<EventRow, 'position'>[]): Promise<void> {
  const before = Number(Atomics.add(reached, 0, BigInt(written.length)));
  const copied = new CopiedRows();
  const types = Object.values(columns);
  for (const [index, row] of written.entries()) {
    const whole: EventRow = { ...row, position: before + 1 + index };
    copied.add(
      types,
      names.map((name) => whole[name]),
    );
  }
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL synchronous_commit TO off`.execute(trx);
    await sql`COPY events (${sql.join(names.map((name) => sql.ref(name)))})
      FROM STDIN (FORMAT binary) -- ${copied}`.execute(trx);
  });
}
