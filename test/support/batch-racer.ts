/**
 * A process that appends batches to the stream of an anchoring account as fast as it can, as the account's
 * holder does: it knows the version, and reads nothing. Prints `ready` after some batches, and the version of
 * its last one when another process has appended.
 */

import type { SequencesTaken } from '../../src/domain/account/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';

const [url = '', ledgerId = '', account = '', from = '0'] = process.argv.slice(2);
const { pool, close } = openDatabase(url, { maxConnections: 2 });
const store = createEventStore({ pool, keyring: createKeyring(pool, Buffer.alloc(32)) });
const stream = streams.account(ledgerId, account);
let version = Number(from);
const readyAt = version + 5;

try {
  for (;;) {
    const taken = [{ sequence: version, proofId: `P${version}` as ProofId }];
    const batch: SequencesTaken = { type: 'SequencesTaken', data: { ledgerId, account, taken } };
    const entry = { organisationId: null, stream, expectedVersion: version, events: [batch] };
    await store.append([entry], { actor: 'anchoring' });
    version += 1;
    if (version === readyAt) console.log('ready');
  }
} catch (error) {
  if (!(error instanceof VersionConflict)) throw error;
}
await close();
console.log(version);
