import type { ProofChange } from './proof-fact.ts';
import type { ComparedField, ListRequest, ProofStatus, ShownProof } from './recorded-call.ts';

/** A proof as the log has it at one position. */
export interface ModelProof extends Readonly<Record<ComparedField, string | number | null>> {
  readonly proofId: string;
  readonly blockchainStatus: ProofStatus;
  readonly workspace: string;
  readonly fileHash: string;
  /** Place in the order of requests. */
  readonly ordinal: number;
  readonly isQueued: boolean;
  /** False after it was withdrawn or given up. */
  readonly isVisible: boolean;
  /** Lower-case file name and description, by which searches find it. */
  readonly text: string;
}

type ListQuery = Pick<ListRequest, 'workspace' | 'status' | 'search'>;

/** Proofs that match a query, in the order of their requests. */
interface View {
  readonly query: ListQuery;
  readonly proofs: ModelProof[];
}

/**
 * The proofs of one organisation, folded from the log one change at a time. It knows from the start
 * which lists are asked for, so that any page of them costs no search at any position.
 */
export class OrganisationModel {
  readonly #proofs = new Map<string, ModelProof>();
  readonly #byHash = new Map<string, Set<string>>();
  readonly #byCommitment = new Map<string, string>();
  readonly #byTransaction = new Map<string, string>();
  readonly #views = new Map<string, View>();
  /** Views of each text that is searched for; the key of views without a search is ''. */
  readonly #viewsOfText = new Map<string, View[]>();
  /** Texts that find each proof. */
  readonly #textsOf = new Map<string, readonly string[]>();

  constructor(queries: Iterable<ListQuery>) {
    for (const query of queries) {
      const key = viewKey(query);
      if (this.#views.has(key) || isExact(query.search)) continue;
      const view = { query, proofs: [] };
      this.#views.set(key, view);
      const text = query.search ?? '';
      const others = this.#viewsOfText.get(text);
      if (others === undefined) this.#viewsOfText.set(text, [view]);
      else others.push(view);
    }
  }

  apply(change: ProofChange): void {
    const before = this.#proofs.get(change.proofId) ?? null;
    const after = this.#after(before, change);
    if (after === null) return;
    this.#proofs.set(after.proofId, after);
    if (typeof after.txHash === 'string') this.#byTransaction.set(after.txHash, after.proofId);
    for (const text of this.#textsOf.get(after.proofId) ?? []) {
      for (const view of this.#viewsOfText.get(text) ?? []) place(view, before, after);
    }
  }

  proof(proofId: string): ModelProof | null {
    const proof = this.#proofs.get(proofId);
    return proof?.isVisible ? proof : null;
  }

  /** The visible proof of a hash in a workspace; null if the hash can be posted anew. */
  claim(workspace: string, hash: string): ModelProof | null {
    for (const proofId of this.#byHash.get(hash) ?? []) {
      const proof = this.proof(proofId);
      if (proof?.workspace === workspace) return proof;
    }
    return null;
  }

  /** Number of proofs that a list has, and those of one page, newest first. */
  list(request: ListRequest): { readonly total: number; readonly items: readonly ModelProof[] } {
    const proofs = isExact(request.search)
      ? this.#named(request)
      : (this.#views.get(viewKey(request))?.proofs ?? []);
    const end = proofs.length - (request.page - 1) * request.limit;
    const items = proofs.slice(Math.max(0, end - request.limit), Math.max(0, end)).reverse();
    return { total: proofs.length, items };
  }

  /** Proofs that have the text as their id, hash, commitment or transaction hash. */
  #named(query: ListRequest): readonly ModelProof[] {
    const text = query.search ?? '';
    const ids = new Set([text.toUpperCase()]);
    for (const id of this.#byHash.get(text.toLowerCase()) ?? []) ids.add(id);
    const committed = this.#byCommitment.get(text.toLowerCase());
    if (committed !== undefined) ids.add(committed);
    const sent = this.#byTransaction.get(text.toUpperCase());
    if (sent !== undefined && this.#proofs.get(sent)?.txHash === text.toUpperCase()) ids.add(sent);
    return [...ids]
      .flatMap((id) => this.#proofs.get(id) ?? [])
      .filter((proof) => belongs(proof, query))
      .sort((one, other) => one.ordinal - other.ordinal);
  }

  #after(before: ModelProof | null, change: ProofChange): ModelProof | null {
    if (change.type === 'requested') return this.#request(change);
    if (before === null) return null;
    switch (change.type) {
      case 'queued':
        return { ...before, isQueued: true };
      case 'prepared':
        return { ...before, blockchainStatus: 'processing', txHash: change.txHash };
      case 'anchored': {
        const { txHash, ledgerIndex, timestamp } = change;
        return { ...before, blockchainStatus: 'completed', txHash, ledgerIndex, timestamp };
      }
      case 'expired':
        return { ...before, blockchainStatus: 'pending', txHash: null };
      case 'withdrawn':
        return { ...before, isVisible: false };
    }
  }

  #request(change: Extract<ProofChange, { type: 'requested' }>): ModelProof {
    const { proofId, workspace, fileHash, fileName, description, commitment } = change;
    const text = [fileName, description].map((part) => part?.toLowerCase() ?? '').join('\n');
    const ofHash = this.#byHash.get(fileHash);
    if (ofHash === undefined) this.#byHash.set(fileHash, new Set([proofId]));
    else ofHash.add(proofId);
    if (commitment !== null) this.#byCommitment.set(commitment, proofId);
    const found = [...this.#viewsOfText.keys()].filter((wanted) => isFoundBy(text, wanted));
    this.#textsOf.set(proofId, found);
    return {
      ...{ proofId, workspace, fileHash, fileName, text },
      blockchainStatus: 'pending',
      txHash: null,
      ledgerIndex: null,
      timestamp: null,
      requestedAt: change.requestedAt,
      hashScheme: change.hashScheme,
      proofCommitment: commitment,
      ordinal: this.#proofs.size + 1,
      isQueued: false,
      isVisible: true,
    };
  }
}

/** Members of a proof in an answer that differ from the log. */
export function differences(shown: ShownProof, proof: ModelProof): readonly ComparedField[] {
  const fields = Object.keys(shown) as (keyof ShownProof)[];
  return fields.filter(
    (field): field is ComparedField =>
      field !== 'proofId' && field !== 'evidence' && shown[field] !== proof[field],
  );
}

/** True if the text has all words of the search. */
export function isFoundBy(text: string, search: string): boolean {
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** True for a search by a whole hash or id. */
export function isExact(search: string | null): search is string {
  return search !== null && /^(?:[0-9a-f]{64}|[0-9A-Z]{26})$/i.test(search);
}

/** True if a list of the query shows the proof, the search aside. */
function belongs(proof: ModelProof, { workspace, status }: ListQuery): boolean {
  return (
    proof.isVisible &&
    (workspace === null || proof.workspace === workspace) &&
    (status === null || proof.blockchainStatus === status)
  );
}

function place({ query, proofs }: View, before: ModelProof | null, after: ModelProof): void {
  const was = before !== null && belongs(before, query);
  const is = belongs(after, query);
  if (!was && !is) return;
  const index = indexOf(proofs, after.ordinal);
  if (was && is) proofs[index] = after;
  else if (is) proofs.splice(index, 0, after);
  else proofs.splice(index, 1);
}

/** Index of the first proof that was not requested before this one. */
function indexOf(proofs: readonly ModelProof[], ordinal: number): number {
  let [low, high] = [0, proofs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((proofs[middle]?.ordinal ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

function viewKey({ workspace, status, search }: ListQuery): string {
  return JSON.stringify([workspace, status, search?.toLowerCase() ?? null]);
}
