import type { Logger } from 'pino';
import { findTimestamp } from '../../../projections/timestamps/query.ts';
import type { CertificateTimestamps } from '../../commands/issue-certificate.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';
import type { ProvingDeps } from '../../transparency-log/inclusion/prove-event.ts';
import { proveStamped } from '../../transparency-log/inclusion/prove-timestamped.ts';
import { readToken } from '../../verifier/timestamp/read-token.ts';

interface CertificateTimestampDeps extends ProvingDeps {
  readonly store: EventStore;
  readonly db: ReadModels;
  readonly log: Logger;
}

/**
 * Time-stamp tokens for certificates. A token that cannot be used delays no certificate: it is logged,
 * and the certificate is issued without it.
 */
export function certificateTimestamps(deps: CertificateTimestampDeps): CertificateTimestamps {
  const { db, log } = deps;
  return {
    covers: async (position) => (await findTimestamp(db, position)) !== null,
    referTo: async (position) => {
      const stream = await findTimestamp(db, position);
      if (stream === null) return null;
      try {
        const { timestamp, hashes } = await proveStamped(deps, stream, position);
        // A bundle that readers refuse would be worth less than one without a token.
        readToken(Buffer.from(timestamp.token, 'base64'));
        return { stream, hashes: hashes.map((hash) => hash.toString('hex')) };
      } catch (err) {
        log.warn({ err, stream }, 'certificate is issued without its time-stamp token');
        return null;
      }
    },
  };
}
