import { auditDatabase } from '../../ops/audit/audit-database.ts';
import type { PublishedReader } from '../../ops/audit/checkpoints/published-reader.ts';
import { openAuditSession } from '../../ops/audit/database/audit-session.ts';
import { Findings } from '../../ops/audit/findings/findings.ts';
import { auditInWords } from '../../ops/audit/report/audit-in-words.ts';
import { loadConfig } from '../../src/config.ts';
import type { Policy } from '../../src/verifier/log/policy.ts';
import type { AuditedSite } from './audited-site.ts';

/** Runs `ops audit verify` on a site in this process; returns the findings, line by line. */
export async function auditSite(
  { env }: Pick<AuditedSite, 'env'>,
  withFiles = false,
  policy: Policy | null = null,
  published: PublishedReader | null = null,
) {
  const config = loadConfig(env);
  const findings = new Findings();
  const session = await openAuditSession(config);
  const of = {
    session,
    config,
    ask: null,
    outside: null,
    trusted: null,
    findings,
    listedWithinMs: 0,
    ...{ withFiles, policy, published },
  };
  const { events, files, unheld } = await auditDatabase(of).finally(() => session.close());
  const report = findings.report();
  const text = auditInWords(report, { events, unheld: [] });
  const lines = text
    .split('\n')
    .filter((line) => !/^((no fault|\d+ faults?) in \d+ events|compared with)/.test(line));
  const following = report.faults.flatMap(({ consequences }) => consequences?.first ?? []);
  return { events, files, unheld, lines: [...lines, ...following], ...report };
}
