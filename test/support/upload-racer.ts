/**
 * A process that uploads `count` files of one organisation at once, in competition with others. Prints the
 * number of stored files, the codes of the refusals, and the duration.
 */
import { storeDocument } from '../../src/commands/store-document.ts';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { uploadDeps, uploadMeta, uploadTo } from './uploads.ts';

const [url = '', masterKey = '', organisation = '', workspace = '', count = '0'] =
  process.argv.slice(2);
const { pool, close } = openDatabase(url, { maxConnections: 4 });
const keyring = createKeyring(pool, Buffer.from(masterKey, 'base64'));
const deps = uploadDeps(createEventStore({ pool, keyring }));
const to = [organisation as OrganisationId, workspace as WorkspaceId] as const;

const began = performance.now();
const outcomes = await Promise.allSettled(
  Array.from({ length: Number(count) }, () => storeDocument(deps, uploadTo(...to), uploadMeta)),
);
const ms = Math.round(performance.now() - began);
const stored = outcomes.filter(({ status }) => status === 'fulfilled').length;
const refusals = outcomes.flatMap((outcome) =>
  outcome.status === 'rejected' ? [outcome.reason.code ?? String(outcome.reason)] : [],
);
await close();
console.log(JSON.stringify({ stored, refusals, ms }));
