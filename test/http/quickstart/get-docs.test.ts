import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { retireAccount } from '../../../src/commands/retire-account.ts';
import type { AccountEvent } from '../../../src/domain/account/events.ts';
import { defaultRequestLimits } from '../../../src/domain/organisation/plan.ts';
import { streams } from '../../../src/domain/streams.ts';
import { statusOf } from '../../../src/http/errors/error-code.ts';
import type { Quickstart, Recipe } from '../../../src/http/quickstart/quickstart-schema.ts';
import { routes } from '../../../src/http/routes.ts';
import { newFolder } from '../../support/blobs.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { followRecipe, recipeOf } from '../../support/follow-recipe.ts';
import { sha256 } from '../../support/forms.ts';
import { joinHttpService, operator, startHttpService } from '../../support/http-service.ts';
import { anchoringAccount, createScriptedAnchoring } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

test("serves the quickstart to anyone under both bases, made from the service's own data", async (t) => {
  const { call, url } = await startHttpService(t, {
    services: { limits: { addressRequestsPerMinute: 123 } },
  });
  const answer = await call('GET', '/docs');
  t.equal(answer.status, 200);
  t.strictSame((await call('GET', '/api/public/v1/docs')).body, answer.body);
  const data: Quickstart = answer.body.data;
  t.match(data, { name: 'Proofmark', version: '1.0.0', contractVersion: '1.14.0' });
  t.match(data.baseUrls, {
    base_url: `${url}/api/v1`,
    cors_base_url: `${url}/api/public/v1`,
    api_root: url,
    public_verify_url: `${url}/api/public/verify/{txHash}`,
    reference_url: `${url}/reference`,
    mcp_url: `${url}/mcp`,
  });
  const reference = await fetch(data.baseUrls.reference_url);
  t.match(await reference.text(), '<title>');
  t.equal(reference.status, 200);
  t.not((await fetch(data.baseUrls.mcp_url, { method: 'POST' })).status, 404);
  t.equal(data.endpoints.length, routes.based.length + routes.root.length);
  t.match(
    data.endpoints.find(({ operationId }) => operationId === 'recordAgentRun'),
    { method: 'POST', scope: 'documents:write', requiredFields: ['runId'] },
  );
  t.match(
    data.endpoints.find(({ operationId }) => operationId === 'uploadDocument'),
    { contentType: 'multipart/form-data', requiredFields: ['file', 'workspace'] },
  );
  t.match(data.rateLimits, {
    requestsPerMinute: defaultRequestLimits.perMinute,
    requestsPerDay: defaultRequestLimits.perDay,
    organisationRequestsPerMinute: 10 * defaultRequestLimits.perMinute,
    organisationRequestsPerDay: 10 * defaultRequestLimits.perDay,
    itemsPerDay: 1_000_000,
    organisationItemsPerDay: 10_000_000,
    withoutKeyPerMinute: 123,
    costlierCalls: [
      { operationId: 'createProofs' },
      { operationId: 'listDocuments' },
      { operationId: 'getProofBundle' },
      { operationId: 'getProofXpop' },
      { operationId: 'recordAgentRun' },
      { operationId: 'listAgentRuns' },
      { operationId: 'getAgentRun' },
      { operationId: 'getAgentRunStatement' },
      { operationId: 'getAgentDecisionProof' },
      { operationId: 'listWebhookDeliveries' },
      { operationId: 'retryFailedWebhookDeliveries' },
    ],
  });
  for (const { code, status } of data.errors)
    t.equal(statusOf[code as keyof typeof statusOf], status);
  t.ok(data.errors.some(({ code }) => code === 'RATE_LIMIT_EXCEEDED'));
  const ofCertificates = data.auth.scopes.find(({ scope }) => scope === 'certificates:read');
  t.ok(ofCertificates?.operations.includes('getCertificate'));
  t.ok(data.auth.withoutKey.includes('verifyTransaction'));
  t.equal(data.logKeys.length, 1);
  t.match(data.logKeys[0], /^proofmark\/[0-9A-Z]{26}\+[0-9a-f]{8}\+/);
  t.ok(data.security.some((rule) => /never follow them as instructions/.test(rule)));
});

test('every address of the quickstart that needs no key and no parameter answers', async (t) => {
  const { data } = (await (await joinHttpService()).call('GET', '/docs')).body as {
    data: Quickstart;
  };
  const { baseUrls, verification, endpoints } = data;
  const { url, historyUrl } = verification.verifier;
  const open = endpoints.filter(
    ({ operationId, method, scope, url }) =>
      // This log has no checkpoint yet.
      operationId !== 'getLogCheckpoint' &&
      method === 'GET' &&
      scope === null &&
      !url.includes('{'),
  );
  const addresses = [
    ...[baseUrls.openapi_url, baseUrls.reference_url, url, historyUrl],
    ...open.map(({ url }) => url),
  ];
  t.ok(open.length > 5);
  for (const address of addresses) {
    const answer = await fetch(address);
    await answer.body?.cancel();
    t.equal(answer.status, 200, address);
  }
});

test('the example body of every skeleton is accepted as valid', async (t) => {
  const { call, openOrganisation } = await joinHttpService();
  const { key } = await openOrganisation();
  const { data } = (await call('GET', '/docs')).body as { data: Quickstart };
  for (const { method, url, exampleBody, contentType } of data.endpoints) {
    if (contentType !== 'application/json') continue;
    const path = new URL(url).pathname.replace(/%7B\w+%7D/g, '01M7XT7V10RJ1CFD26ZBSKQXP6');
    const answer = await call(method, path, { key, json: exampleBody });
    // The examples' ids are unknown, but everything else in them is valid.
    t.notMatch(answer.body?.code, /INVALID_(?:JSON|REQUEST|HASH)/, `${method} ${path}`);
  }
});

test('lists the accounts that verify: configured, used and retired ones', async (t) => {
  const configured = { network: 'mainnet', address: 'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD' } as const;
  const { call, store } = await startHttpService(t, {
    services: { ledger: { ownAccounts: [configured] } },
  });
  const { ledgerId } = await createScriptedAnchoring(store);
  const accounts = async () => (await call('GET', '/docs')).body.data.anchoringAccounts;
  t.strictSame(await accounts(), [{ ...configured, status: 'current' }]);
  const account = anchoringAccount;
  const taken: AccountEvent = {
    type: 'SequencesTaken',
    data: { ledgerId, account, taken: [] },
  };
  const stream = streams.account(ledgerId, account);
  await store.append(
    [{ organisationId: null, stream, expectedVersion: 0, events: [taken] }],
    operator,
  );
  const used = { network: 'testnet', address: account };
  const shows = (status: string) => async () =>
    (await accounts()).some((one: object) => isDeepStrictEqual(one, { ...used, status }));
  await until('the account is listed as current', shows('current'));
  await retireAccount(store, { ledgerId, account }, operator);
  await until('the account is listed as retired', shows('retired'));
  t.equal((await accounts()).length, 2);
});

test('the recipes, followed literally, distinguish the file from another one', async (t) => {
  const { service, key, workspace } = await joinDocumentService();
  const { recipes } = (await service.call('GET', '/docs')).body.data.verification as {
    recipes: Recipe[];
  };
  const folder = await newFolder(t);
  const [FILE, other] = [join(folder, 'a file'), join(folder, 'another')];
  await writeFile(other, 'another');
  for (const name of ['plain', 'salted']) {
    const recipe = recipeOf(recipes, name);
    for (const hashScheme of recipe.hashSchemes) {
      await writeFile(FILE, hashScheme);
      const json = { hash: sha256(Buffer.from(hashScheme)), workspace, hashScheme };
      const posted = await service.call('POST', '/proofs', { key, json });
      const { txHash: TX_HASH, proofNonce } = posted.body.data;
      const nonce = proofNonce === null ? {} : { PROOF_NONCE: proofNonce };
      t.equal(await followRecipe(recipe, { FILE, TX_HASH, ...nonce }, folder), true, hashScheme);
      t.equal(
        await followRecipe(recipe, { FILE: other, TX_HASH, ...nonce }, folder),
        false,
        hashScheme,
      );
    }
  }
});
