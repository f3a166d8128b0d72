import { test } from 'tap';
import { linksDecider, maxLinks, maxLiveLinks } from '../../../src/domain/link/decider.ts';
import type { LinkEvent } from '../../../src/domain/link/events.ts';
import { formatLinkToken, linkTokenHash } from '../../../src/domain/link/link-token.ts';
import { type LinksState, liveLink, liveLinks } from '../../../src/domain/link/state.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { LinkId, OrganisationId, ProofId } from '../../../src/domain/ulid.ts';
import { refusalOf } from '../../support/fold.ts';

const organisationId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as OrganisationId;
const proofId = '01ARZ3NDEKTSV4RRFFQ69G5FAW' as ProofId;
const now = new Date('2026-11-22T10:00:00.000Z');
const { create, withdraw, evolve, initial } = linksDecider;

const order = (linkId: string, expiresAt: string | null = null) => ({
  linkId: linkId as LinkId,
  proofId,
  organisationId,
  tokenHash: linkId.padEnd(64, '0') as Digest,
  showsFileName: false,
  mayBeIndexed: false,
  expiresAt,
});
const recordedAt = '2026-11-22T09:00:00.000Z';
const after = (state: LinksState, events: readonly LinkEvent[]): LinksState =>
  events.reduce((before: LinksState, event) => evolve(before, { ...event, recordedAt }), state);
const withLinks = (count: number, expiresAt: string | null = null) =>
  Array.from({ length: count }, (_, at) => order(String(at), expiresAt)).reduce(
    (state: LinksState, data) => after(state, [{ type: 'LinkCreated', data }]),
    initial,
  );

test('a link is live until its owner withdraws it or its time has come', async (t) => {
  const state = after(initial, create(initial, order('a', '2026-11-22T10:00:00.001Z'), now));
  t.match(liveLink(state, 'a' as LinkId, now), { linkId: 'a', createdAt: recordedAt });
  t.equal(liveLink(state, 'a' as LinkId, new Date(now.getTime() + 1)), null, 'expired');
  t.equal(liveLink(state, 'b' as LinkId, now), null);
  const gone = after(state, withdraw(state, { organisationId, linkId: 'a' as LinkId }));
  t.equal(liveLink(gone, 'a' as LinkId, now), null);
  t.match(
    refusalOf(() => withdraw(gone, { organisationId, linkId: 'a' as LinkId })),
    { code: 'LINK_NOT_FOUND' },
  );
});

test('nobody else withdraws a link, and none is created for the past', async (t) => {
  const state = after(initial, create(initial, order('a'), now));
  const other = '01ARZ3NDEKTSV4RRFFQ69G5FAX' as OrganisationId;
  for (const of of [
    { organisationId: other, linkId: 'a' as LinkId },
    { organisationId, linkId: 'b' as LinkId },
  ]) {
    t.match(
      refusalOf(() => withdraw(state, of)),
      { code: 'LINK_NOT_FOUND' },
    );
  }
  t.match(
    refusalOf(() => create(initial, order('a', now.toISOString()), now)),
    { code: 'INVALID_REQUEST', message: /future/ },
  );
});

test('a proof has a maximum of live links, and of links ever created', async (t) => {
  const full = withLinks(maxLiveLinks);
  t.equal(liveLinks(full, now).length, maxLiveLinks);
  t.match(
    refusalOf(() => create(full, order('x'), now)),
    { code: 'LINK_LIMIT_REACHED', message: /20/ },
  );
  const freed = after(full, withdraw(full, { organisationId, linkId: '3' as LinkId }));
  t.equal(create(freed, order('x'), now).length, 1, 'withdrawing makes room');
  const expired = withLinks(maxLinks - 1, recordedAt);
  t.equal(create(expired, order('x'), now).length, 1, 'expired links take no place');
  t.match(
    refusalOf(() => create(withLinks(maxLinks, recordedAt), order('x'), now)),
    { code: 'LINK_LIMIT_REACHED', message: /1000 links/ },
  );
});

test('only a whole token has a hash', async (t) => {
  const token = formatLinkToken(Buffer.alloc(32, 250));
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  t.match(linkTokenHash(token), /^[0-9a-f]{64}$/);
  for (const wrong of ['', token.slice(1), `${token}a`, `${token}\n`, token.replace(/^./, '+')]) {
    t.equal(linkTokenHash(wrong), null, JSON.stringify(wrong));
  }
});
