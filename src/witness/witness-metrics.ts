import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { ownSignatures } from '../transparency-log/cosigning/own-signatures.ts';
import type { ReadKey } from '../verifier/log/note-key.ts';
import { readSignedNote } from '../verifier/log/signed-note.ts';
import type { CosignedCheckpoints } from './cosigned-checkpoints.ts';

interface WatchedWitness {
  readonly key: ReadKey;
  /** Names of the logs. */
  readonly logs: readonly string[];
  readonly checkpoints: Pick<CosignedCheckpoints, 'read'>;
}

/** Metrics of a witness. Their labels are the logs of its folder, and statuses that it answers. */
export class WitnessMetrics {
  readonly registry = new Registry();
  readonly #requests: Counter<'status'>;
  readonly #twoRoots: Counter<'log'>;

  constructor({ key, logs, checkpoints }: WatchedWitness) {
    const registers = [this.registry];
    const names = [...new Set(logs)];
    this.#requests = new Counter({
      name: 'proofmark_witness_server_requests_total',
      help: 'Answers to add-checkpoint, by status',
      labelNames: ['status'],
      registers,
    });
    for (const status of ['200', '409', '422', '500']) this.#requests.inc({ status }, 0);
    this.#twoRoots = new Counter({
      name: 'proofmark_witness_server_two_roots_total',
      help: 'Checkpoints with a valid signature of the log, and another root than the cosigned one of the same size',
      labelNames: ['log'],
      registers,
    });
    for (const log of names) this.#twoRoots.inc({ log }, 0);
    const newest = (of: string, help: string, value: (note: string, size: number) => number) =>
      new Gauge({
        name: `proofmark_witness_server_log_${of}`,
        help,
        labelNames: ['log'],
        registers,
        async collect() {
          this.reset();
          for (const log of names) {
            const last = await checkpoints.read(log).catch(() => null);
            if (last !== null) this.set({ log }, value(last.note, last.checkpoint.size));
          }
        },
      });
    newest(
      'events',
      'Events that the last cosigned checkpoint of the log covers',
      (_, size) => size,
    );
    newest(
      'cosigned_timestamp_seconds',
      'Time of the last cosignature for the log, in seconds since 1970',
      (note) => timeOf(note, key),
    );
  }

  countAnswer(status: number): void {
    this.#requests.inc({ status: String(status) });
  }

  countTwoRoots(log: string): void {
    this.#twoRoots.inc({ log });
  }
}

/** 0 without a cosignature. */
function timeOf(note: string, key: ReadKey): number {
  const parsed = readSignedNote(note);
  const [own] = parsed === null ? [] : ownSignatures(key, parsed);
  return own?.seconds ?? 0;
}
