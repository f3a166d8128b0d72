import type { DomainEvent } from '../../../src/domain/events.ts';
import { proofOfStream } from '../../../src/domain/streams.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { openTemporaryDatabase } from '../bounded/temporary-database.ts';
import type { ProvenFacts } from './reasons-against-bundle.ts';

/** Types of the events that state facts about a proof. */
export const provenTypes = ['ProofRequested', 'Anchored'] satisfies DomainEvent['type'][];

/** Statements of earlier events about proofs, in a temporary file. */
export class ProvenProofs {
  readonly #db = openTemporaryDatabase();

  constructor() {
    this.#db.exec(
      'CREATE TABLE proofs (id TEXT PRIMARY KEY, hash TEXT, anchor TEXT) WITHOUT ROWID',
    );
  }

  close(): void {
    this.#db.close();
  }

  learn(event: StoredEvent<DomainEvent>): void {
    if (event.type === 'Anchored') {
      this.#set(proofOfStream(event.stream), 'anchor', event.data.transactionHash);
    } else if (event.type === 'ProofRequested' && !event.erased) {
      this.#set(event.data.proofId, 'hash', event.data.fileHash);
    }
  }

  factsOf(proofId: unknown): ProvenFacts {
    const found = this.#db
      .prepare('SELECT hash, anchor FROM proofs WHERE id = ?')
      .get(String(proofId));
    const { hash, anchor } = (found ?? {}) as Partial<Record<'hash' | 'anchor', string | null>>;
    return { fileHash: hash ?? null, transactionHash: anchor ?? null };
  }

  #set(proofId: string | null, column: 'hash' | 'anchor', value: string): void {
    const insert = `INSERT INTO proofs (id, ${column}) VALUES (?, ?)`;
    this.#db
      .prepare(`${insert} ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`)
      .run(String(proofId), value);
  }
}
