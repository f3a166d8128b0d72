import type { Anomaly } from './anomaly.ts';
import { matches } from './matches.ts';
import {
  differences,
  isExact,
  isFoundBy,
  type ModelProof,
  OrganisationModel,
} from './organisation-model.ts';
import { listRequestsOf, type Placed } from './place-calls.ts';
import type { ProofChange } from './proof-fact.ts';
import type { ListRequest, RecordedCall, ShownProof } from './recorded-call.ts';

/** Data to explain an impossible answer with. */
export interface Explaining {
  /** Placed calls of the organisation. */
  readonly placed: ReadonlyMap<RecordedCall, Placed>;
  /** Changes of the organisation. */
  readonly changes: readonly ProofChange[];
  /** The organisation of every proof in the log. */
  readonly ownerOf: ReadonlyMap<string, string>;
}

type Finding = Pick<Anomaly, 'kind' | 'detail'>;

/** Names the fault of an answer that no moment of the log gives. */
export function explain(call: RecordedCall, { from, to }: Placed, by: Explaining): Anomaly {
  const past = readPast(call, { from, to }, by.changes);
  const shown = shownIn(call);
  const byMoment = () => explainMoment(call, past, by);
  const byItems = () => explainItems(call, shown, past, by);
  // A whole page of an earlier moment is old. One proof in an earlier state went back.
  const found =
    (call.request.kind === 'list' ? byMoment() : null) ??
    byItems() ??
    byMoment() ??
    explainList(call, shown, past) ??
    ({ kind: 'noMoment', detail: {} } as const);
  return { call, ...found, detail: { from, to, ...found.detail } };
}

/** States of the organisation's proofs before, during and after a call. */
interface Past {
  /** Newest moment before the call that gives its answer; null if none does. */
  readonly before: number | null;
  /** True if a moment after the call gives its answer. */
  readonly after: boolean;
  /** All states of each shown proof, with the moment at which each began. */
  readonly states: ReadonlyMap<
    string,
    readonly { readonly at: number; readonly proof: ModelProof }[]
  >;
  /** Pages that were right during the call. */
  readonly pages: readonly { readonly total: number; readonly items: readonly ModelProof[] }[];
  readonly from: number;
  readonly to: number;
}

function readPast(
  call: RecordedCall,
  { from, to }: Pick<Placed, 'from' | 'to'>,
  changes: readonly ProofChange[],
): Past {
  const model = new OrganisationModel(listRequestsOf([call]));
  const wanted = new Set(shownIn(call).map(({ proofId }) => proofId));
  const states = new Map<string, { at: number; proof: ModelProof }[]>();
  const pages: { total: number; items: readonly ModelProof[] }[] = [];
  let before: number | null = null;
  let after = false;
  for (let moment = 0; moment <= changes.length; moment += 1) {
    const change = changes[moment - 1];
    if (change !== undefined) {
      model.apply(change);
      const proof = wanted.has(change.proofId) ? model.proof(change.proofId) : null;
      const known = states.get(change.proofId) ?? [];
      if (proof !== null) states.set(change.proofId, [...known, { at: moment, proof }]);
    }
    if (matches(call, model)) {
      if (moment < from) before = moment;
      if (moment > to) after = true;
    }
    if (call.request.kind === 'list' && moment >= from && moment <= to) {
      pages.push(model.list(call.request));
    }
  }
  return { before, after, states, pages, from, to };
}

function explainItems(
  call: RecordedCall,
  shown: readonly ShownProof[],
  { states, from, to }: Past,
  { ownerOf, placed }: Explaining,
): Finding | null {
  for (const item of shown) {
    const { proofId } = item;
    const owner = ownerOf.get(proofId);
    if (owner === undefined) {
      const known = [...placed.keys()].some(
        (other) => other.answeredAt < call.invokedAt && confirms(other, proofId),
      );
      return { kind: known ? 'lostTimeline' : 'phantom', detail: { item } };
    }
    if (owner !== call.organisationId) return { kind: 'foreignItem', detail: { item, owner } };
    const all = states.get(proofId) ?? [];
    const begun = all.findLastIndex(({ at }) => at <= from);
    const during = all.filter(({ at }, index) => index >= begun && at <= to);
    const isRight = (state: { readonly proof: ModelProof }) =>
      differences(item, state.proof).length === 0;
    if (during.some(isRight)) continue;
    const earlier = all.slice(0, Math.max(0, begun)).findLast(isRight);
    // Before its request, a proof has no state at all.
    if (earlier !== undefined) {
      return { kind: 'stateWentBack', detail: { item, state: during.at(0)?.proof } };
    }
    if (all.some(({ proof, at }) => at > to && isRight({ proof }))) {
      return { kind: 'ahead', detail: { item } };
    }
    const state = during.at(-1)?.proof ?? all.at(-1)?.proof;
    if (state === undefined) continue;
    return { kind: 'wrongField', detail: { item, state, fields: differences(item, state) } };
  }
  return repeated(call, shown, placed);
}

/** Finds a proof that one page has twice, or that an earlier page of the same walk had already. */
function repeated(
  { request, session, answeredAt }: RecordedCall,
  shown: readonly ShownProof[],
  placed: Explaining['placed'],
): Finding | null {
  if (request.kind !== 'list') return null;
  const seen = new Set<string>();
  for (const other of placed.keys()) {
    const isOfWalk =
      other.request.kind === 'list' &&
      other.request.walk !== null &&
      other.request.walk === request.walk &&
      other.session === session &&
      other.answeredAt < answeredAt;
    if (isOfWalk) for (const { proofId } of shownIn(other)) seen.add(proofId);
  }
  for (const item of shown) {
    if (seen.has(item.proofId)) return { kind: 'duplicate', detail: { item } };
    seen.add(item.proofId);
  }
  return null;
}

/** Explains an answer that was right at another moment. */
function explainMoment(
  call: RecordedCall,
  { before, after }: Past,
  { placed }: Explaining,
): Finding | null {
  if (before === null) return after ? { kind: 'ahead', detail: {} } : null;
  const newer = [...placed].filter(
    ([other, { at }]) => other.answeredAt < call.invokedAt && at !== null && at > before,
  );
  const own = newer.filter(([{ session }]) => session === call.session);
  const write = own.findLast(([{ request }]) => request.kind === 'post');
  const [shownBefore] = write ?? own.at(-1) ?? newer.at(-1) ?? [];
  const detail = { rightAt: before, shownBefore };
  if (write) return { kind: 'ownWriteMissing', detail };
  return { kind: own.length > 0 ? 'wentBack' : 'stale', detail };
}

function explainList(
  { request, answer }: RecordedCall,
  shown: readonly ShownProof[],
  { pages, states }: Past,
): Finding | null {
  if (request.kind !== 'list') return null;
  const ids = new Set(shown.map(({ proofId }) => proofId));
  const wrong = shown.find(({ proofId }) => {
    const proofs = states.get(proofId)?.map(({ proof }) => proof) ?? [];
    return !proofs.some((proof) => isHit(proof, request));
  });
  if (wrong) return { kind: 'falseHit', detail: { item: wrong } };
  const [first] = pages;
  const missing = first?.items.find(
    ({ proofId }) =>
      !ids.has(proofId) &&
      pages.every(({ items }) => items.some((item) => item.proofId === proofId)),
  );
  const isSearch = request.search !== null;
  if (missing) return { kind: isSearch ? 'searchMissed' : 'lostItem', detail: { missing } };
  const total = answer.kind === 'page' ? answer.total : null;
  const right = pages.find(({ items }) => items.length === shown.length);
  if (right === undefined) return null;
  const isInOrder = right.items.every(({ proofId }, index) => shown[index]?.proofId === proofId);
  if (!isInOrder) return { kind: 'wrongOrder', detail: {} };
  return right.total === total ? null : { kind: 'wrongTotal', detail: { total: right.total } };
}

function isHit(proof: ModelProof, { workspace, status, search }: ListRequest): boolean {
  return (
    (workspace === null || proof.workspace === workspace) &&
    (status === null || proof.blockchainStatus === status) &&
    (search === null || isExact(search) || isFoundBy(proof.text, search))
  );
}

function shownIn({ answer }: RecordedCall): readonly ShownProof[] {
  if (answer.kind === 'page') return answer.items;
  return answer.kind === 'proof' ? [answer.proof] : [];
}

/** True if the answer promised the proof. */
function confirms({ answer }: RecordedCall, proofId: string): boolean {
  if (answer.kind === 'refused') return answer.proofId === proofId;
  return answer.kind === 'proof' && answer.proof.proofId === proofId;
}
