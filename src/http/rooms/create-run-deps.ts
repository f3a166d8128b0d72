import { findKeyAccesses } from '../../../projections/access/query.ts';
import { createReadCoalescer } from '../../event-store/read-coalescer.ts';
import type { RunDeps } from '../calls/run-route.ts';
import type { ConsoleDeps } from '../console/run-console.ts';
import { findSessions } from '../console/sessions.ts';
import { createFileLookUp } from '../documents/stored-bytes.ts';
import type { Services } from '../services.ts';
import type { Shared } from './shared.ts';

/** Dependencies of running routes of the API. */
export function createRunDeps(
  { events, files, ledger, limits, calls, site, telemetry, sources }: Services,
  { shares, offload, storedBytes }: Shared,
): RunDeps {
  const { store, db, repeated = db, signal } = events;
  const { now } = sources;
  const { storage, uploadSpace, maxUploadBytes, defaultStorageAllowance, fileWork } = files;
  const { keyUses, turns, answerWaitMs, proofWaitMs, recordedAddress } = calls;
  const reading = { store, db, signal };
  const keyAccesses = createReadCoalescer((keyHashes: readonly string[]) =>
    findKeyAccesses(repeated, keyHashes, now()),
  );
  return {
    authentication: { ...reading, keyAccesses, now },
    limits,
    uploading: {
      ...{ store, storage, uploadSpace, shares, maxUploadBytes, answerWaitMs },
      ...{ storedBytes, defaultStorageAllowance },
      mayHaveFile: createFileLookUp(reading),
    },
    offloading: {
      ...{ offload, turns, shares, answerWaitMs },
      ...{ publicUrl: site.publicUrl, network: ledger.network },
    },
    ...{ shares, keyUses, fileWork, proofWaitMs, answerWaitMs, recordedAddress },
    log: telemetry.log,
  };
}

/** Dependencies of running routes of the console. */
export function createConsoleDeps(
  { events, limits, calls, site, telemetry, sources }: Services,
  { people }: Shared,
): ConsoleDeps {
  const { store, db, watch } = events;
  const sessions = createReadCoalescer((tokenHashes: readonly string[]) =>
    findSessions({ db, now: sources.now }, tokenHashes),
  );
  return {
    sessions,
    members: { store, people, watch },
    limits,
    publicUrl: site.publicUrl,
    identityProvider: site.identityProvider,
    answerWaitMs: calls.answerWaitMs,
    recordedAddress: calls.recordedAddress,
    log: telemetry.log,
  };
}
