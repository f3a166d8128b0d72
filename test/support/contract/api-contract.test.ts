import { test } from 'tap';
import { knownProof } from '../../../src/http/proofs/proof-examples.ts';
import { createContract } from './api-contract.ts';
import { closedDocument } from './closed-document.ts';
import type { Exchange } from './exchange.ts';

const find = createContract(closedDocument());

const body = { success: true, alreadyProven: true, data: knownProof };
const good = {
  method: 'POST',
  target: '/api/v1/proofs',
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '01M7XT7V0YJ4K5M6N7P8Q9R0ST',
  },
  text: JSON.stringify(body),
};

function refused(status: number, code: string, change: Partial<Exchange> = {}): Exchange {
  return {
    ...good,
    status,
    text: JSON.stringify({ success: false, code, message: 'm' }),
    ...change,
  };
}

test('documented answers pass, on both base paths, for HEAD and without a route', async (t) => {
  const headers = { ...good.headers, allow: 'OPTIONS, POST' };
  const all: Exchange[] = [
    good,
    { ...good, target: '/api/public/v1/proofs?x=1' },
    refused(502, 'XRPL_ERROR'),
    { ...good, method: 'HEAD', target: '/api/v1/workspaces', text: '' },
    refused(404, 'NOT_FOUND', { target: '/api/v1/nothing' }),
    refused(405, 'METHOD_NOT_ALLOWED', { method: 'PUT', headers }),
    { ...good, method: 'OPTIONS', status: 204, headers: {}, text: '' },
  ];
  for (const exchange of all) t.strictSame(find(exchange), []);
});

test('every kind of undocumented answer is found', async (t) => {
  const { 'x-request-id': _, ...unnamed } = good.headers;
  const wrong: Readonly<Record<string, [Exchange, RegExp]>> = {
    'a member more': [
      { ...good, text: JSON.stringify({ ...body, data: { ...knownProof, secret: 1 } }) },
      /must NOT have additional properties/,
    ],
    'a member less': [{ ...good, text: JSON.stringify({ success: true }) }, /required property/],
    'a value of another form': [
      { ...good, text: JSON.stringify({ ...body, data: { ...knownProof, timestamp: 'now' } }) },
      /must match format "date-time"/,
    ],
    'a status that it has not': [{ ...good, status: 204 }, /not documented to answer that/],
    "another route's code": [refused(502, 'RUN_CONFLICT'), /must be equal to one of/],
    'a code under another status': [refused(400, 'XRPL_ERROR'), /must be equal to one of/],
    'a header that is missing': [{ ...good, headers: unnamed }, /x-request-id is missing/],
    'a header more': [
      { ...good, headers: { ...good.headers, 'x-powered-by': 'koa' } },
      /x-powered-by is not documented/,
    ],
    'a header of another form': [
      { ...good, headers: { ...good.headers, 'x-request-id': '7' } },
      /x-request-id: 7/,
    ],
    'another type': [
      { ...good, headers: { ...good.headers, 'content-type': 'text/html' }, text: null },
      /the type text\/html is not documented/,
    ],
    'a route that is not in it': [{ ...good, target: '/api/v1/secrets' }, /not documented/],
    'a method that is not in it': [{ ...good, method: 'PUT' }, /not documented/],
    'a body where there is none': [
      { ...good, method: 'GET', target: '/api/v1/certificates/x', status: 304 },
      /a body is not documented/,
    ],
  };
  for (const [name, [exchange, why]] of Object.entries(wrong)) {
    t.match(find(exchange).join('\n'), why, name);
  }
});
