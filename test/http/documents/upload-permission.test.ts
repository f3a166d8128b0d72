import { request } from 'node:http';
import { type Test, test } from 'tap';
import { findKeyAccesses } from '../../../projections/access/query.ts';
import { revokeKey } from '../../../src/commands/revoke-key.ts';
import { suspendOrganisation } from '../../../src/commands/suspend-organisation.ts';
import { switchApiAccess } from '../../../src/commands/switch-api-access.ts';
import { hashApiKey } from '../../../src/domain/key/api-key.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { fieldPart, filePart, formType, rawForm } from '../../support/forms.ts';
import { operator } from '../../support/http-service.ts';
import { until } from '../../support/until.ts';

type Site = Awaited<ReturnType<typeof joinDocumentService>>;

const idOf = async ({ services }: Site['service'], key: string) => {
  const keyHash = hashApiKey(key);
  const found = (await findKeyAccesses(services.events.db, [keyHash], new Date())).get(keyHash);
  if (found === undefined) throw new Error('the key is unknown');
  return found.keyId;
};

const proving = (types: readonly string[]) => types.filter((type) => /Document|Proof/.test(type));

/** Sends half of a form, and the rest when `meanwhile` has resolved. */
async function uploadWhile(
  t: Test,
  { service, files, workspace }: Site,
  key: string,
  path: string,
  meanwhile: () => Promise<unknown>,
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  const fields = path === '/documents' ? [fieldPart('workspace', workspace)] : [];
  const form = rawForm([...fields, filePart('filename="a.txt"', Buffer.alloc(300_000, 'a'))]);
  const sent = request(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { ...formType, authorization: `Bearer ${key}`, 'content-length': form.length },
  });
  t.teardown(() => sent.destroy());
  const answered = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      response.toArray().then((chunks) => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: response.statusCode, body });
      }, reject);
    });
  });
  sent.write(form.subarray(0, 200_000));
  await until('the upload is being received', async () => (await files()).staged.length > 0);
  await meanwhile();
  sent.end(form.subarray(200_000));
  return answered;
}

test('an upload is refused if its key or its organisation lost the permission meanwhile', async (t) => {
  const rows: readonly [string, (site: Site, key: string) => Promise<unknown>, object][] = [
    [
      'revoked',
      async ({ service }, key) =>
        revokeKey(service.store, await idOf(service, key), null, operator),
      { status: 401, body: { code: 'INVALID_API_KEY' } },
    ],
    [
      'suspended',
      ({ service, organisationId }) => suspendOrganisation(service.store, organisationId, operator),
      { status: 403, body: { code: 'COMPANY_SUSPENDED' } },
    ],
    [
      'without API access',
      ({ service, organisationId }) =>
        switchApiAccess(service.store, organisationId, false, operator),
      { status: 403, body: { code: 'API_ACCESS_DISABLED' } },
    ],
  ];
  for (const [what, lose, expected] of rows) {
    const site = await joinDocumentService();
    const { documentId } = (await site.upload()).body.data;
    const key = await site.service.issueKey(site.organisationId);
    t.equal((await site.get('/workspaces', key)).status, 200);
    const [before, { kept }] = [await site.types(), await site.files()];
    const lost = async () => {
      await lose(site, key);
      await until(
        'calls are refused',
        async () => (await site.get('/workspaces', key)).status > 400,
      );
    };
    const path = what === 'revoked' ? `/documents/${documentId}/version` : '/documents';
    t.match(await uploadWhile(t, site, key, path, lost), expected, what);
    const { staged, kept: keptNow } = await site.files();
    t.strictSame([staged, keptNow], [[], kept], what);
    t.strictSame(proving(await site.types()), proving(before), what);
  }
});

test('an upload goes on while its key stays valid', async (t) => {
  const site = await joinDocumentService();
  const answer = await uploadWhile(t, site, site.key, '/documents', async () => {});
  t.match(answer, { status: 201, body: { success: true } });
});
