import type { Account } from './proof-caller.ts';
import type { ServiceProcess } from './service-process.ts';

/** An organisation of the benchmark's own, with a workspace and a key that knows no limits. */
export async function openAccount({ address, operate }: ServiceProcess): Promise<Account> {
  const limits = ['--requests-per-minute', '100000000', '--requests-per-day', '1000000000'];
  const create = ['organisation', 'create', '--name', 'Benchmark', '--plan', 'professional'];
  const { organisationId = '' } = await operate(...create, ...limits);
  const of = ['--organisation', organisationId];
  const { _id: workspace = '' } = await operate('workspace', 'create', ...of, '--name', 'Archive');
  const scopes = ['--scopes', 'documents:write,documents:read,certificates:read,webhooks:manage'];
  const { key = '' } = await operate('key', 'create', ...of, ...scopes, ...limits);
  return { address, key, workspace };
}
