import { z } from 'zod';
import type { Leaves } from '../../event-store/leaves.ts';
import type { IssuerKeys, ListedIssuerKey } from '../../issuer/contract.ts';
import { count, success, time } from '../../views/output-fields.ts';
import { inclusion } from '../log/inclusion-example.ts';
import { publicEventFields } from '../log/inclusion-view.ts';
import { defineOpenRoute } from '../route.ts';

interface IssuerKeysDeps {
  readonly issuer: Pick<IssuerKeys, 'list'>;
  readonly leaves: Pick<Leaves, 'readInput'>;
}

const types = ['IssuerKeyPublished', 'IssuerKeyRetired', 'IssuerKeyCompromised'] as const;

const logged = z.object({
  leafIndex: count,
  event: z.object({ ...publicEventFields, type: z.enum(types) }),
});

const listedKey = z
  .object({
    key: z.string().meta({ description: 'NAME+ID+KEY, as in a signed note' }),
    state: z.enum(['current', 'retired', 'compromised']).meta({
      description:
        'current: signs new certificates. retired: its signatures stay valid. compromised: trust a ' +
        'certificate that it signed only if the log recorded the certificate before the key was retired',
    }),
    from: time.meta({ description: 'time of its publication in the log' }),
    until: time.nullable().meta({ description: 'time of its retirement; null if it signs now' }),
    compromisedSince: time.nullable().meta({
      description: 'since then somebody else may have had it, as the operator judges',
    }),
    published: logged,
    retired: logged.nullable(),
    compromised: logged.nullable(),
  })
  .meta({ id: 'IssuerKey' });

const [exampleOrigin = ''] = inclusion.checkpoint.split('\n');

/** Example of a key. Its values are invented. */
export const issuerKeyExample = `${exampleOrigin}/issuer+5d3a0f1e+AWx1c2VkIGZvciBkb2N1bWVudGF0aW9uIG9ubHkuLi4u`;

export const listIssuerKeys = defineOpenRoute({
  operationId: 'listIssuerKeys',
  tag: 'Published log',
  method: 'GET',
  path: '/issuer-keys',
  scope: null,
  summary: 'All keys with which the issuer signed bundles, newest first',
  description:
    'Each with the events of the log that published and retired it. `event.dataHash` is the SHA-256 of ' +
    '`{"key":"NAME+ID+KEY"}`, and of `{"key":"NAME+ID+KEY","since":"…"}` for `compromised`, with ' +
    '`compromisedSince` as `since`. `GET /log/leaves/{leafIndex}` has the inclusion proof.',
  responses: {
    200: {
      description: 'the keys; the first one signs new certificates',
      schema: z.object({ success, data: z.array(listedKey) }),
      example: {
        success: true,
        data: [
          {
            key: issuerKeyExample,
            state: 'current',
            from: '2026-11-21T01:00:00.000Z',
            until: null,
            compromisedSince: null,
            published: {
              leafIndex: 1,
              event: {
                ...inclusion.event,
                organisationId: null,
                stream: 'issuer-01M7XT7TX5VQ3R4S5T6V7W8X9Y',
                version: 1,
                type: 'IssuerKeyPublished',
              },
            },
            retired: null,
            compromised: null,
          },
        ],
      },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async (_call, deps: IssuerKeysDeps) => {
    const keys = await deps.issuer.list();
    const data = await Promise.all(keys.map((one) => viewKey(deps, one)));
    return { status: 200, body: { success: true, data } };
  },
});

async function viewKey(deps: IssuerKeysDeps, listed: ListedIssuerKey) {
  const { key, publishedAt, retiredAt, compromisedSince } = listed;
  const [published, retired, compromised] = await Promise.all([
    viewLogged(deps, listed.publishedPosition),
    viewLogged(deps, listed.retiredPosition),
    viewLogged(deps, listed.compromisedPosition),
  ]);
  return {
    key,
    state: stateOf(listed),
    from: publishedAt,
    until: retiredAt,
    compromisedSince,
    published,
    retired,
    compromised,
  };
}

/** State of a key for people and programs. */
export function stateOf({
  retiredAt,
  compromisedSince,
}: Pick<ListedIssuerKey, 'retiredAt' | 'compromisedSince'>) {
  if (compromisedSince !== null) return 'compromised';
  return retiredAt === null ? 'current' : 'retired';
}

async function viewLogged({ leaves }: IssuerKeysDeps, position: number | null) {
  if (position === null) return null;
  const found = await leaves.readInput(position);
  if (found === null) throw new Error(`event ${position} is not in the log`);
  const { leaf: _, ...input } = found;
  return { leafIndex: position - 1, event: { v: 1, ...input } };
}
