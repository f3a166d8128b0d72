import type { LogFolder } from '../subscriptions/projection.ts';
import type { Trace } from './contract.ts';

/** The same projection, with each folded batch traced. */
export function traceProjection<Folder extends LogFolder>(
  projection: Folder,
  trace: Trace,
): Folder {
  const { name, version } = projection;
  return {
    ...projection,
    project: (trx, events, named) => {
      const attributes = {
        'proofmark.projection.name': name,
        'proofmark.projection.version': version,
        'proofmark.batch.events': events.length,
        'proofmark.batch.last_position': events.at(-1)?.position ?? 0,
      };
      return trace({ name: `project ${name}`, parent: null, attributes }, () =>
        projection.project(trx, events, named),
      );
    },
  };
}
