import type { PublishedReader } from '../../ops/audit/checkpoints/published-reader.ts';
import { type Fault, faultInWords } from '../../ops/audit/findings/fault.ts';
import { Findings } from '../../ops/audit/findings/findings.ts';
import { auditLog } from '../../ops/audit/log/audit-log.ts';
import { ReferenceAudit } from '../../ops/audit/streams/reference-audit.ts';
import { type ReadLog, readOnThreads } from '../../ops/audit/threads/read-checked-rows.ts';
import { openDatabase } from '../../src/event-store/database.ts';

/** Audits the log of a database with and without threads. */
export async function auditTwice(url: string, published: PublishedReader | null) {
  const { pool, close } = openDatabase(url, { maxConnections: 1 });
  const audit = async (readLog?: ReadLog) => {
    const findings = new Findings();
    const of = { database: pool, published, trusted: null, findings, listedWithinMs: 0 };
    const references = new ReferenceAudit(findings);
    const { events, root } = await auditLog({ ...of, references, ...(readLog && { readLog }) });
    references.close();
    const { faults, unchecked, lost } = findings.report();
    return { events, root, found: [...faults, ...unchecked].flatMap(inWords).sort(), lost };
  };
  /** Stretches of pages, and rows that were read without threads. */
  const read: { pages: number; rows: number } = { pages: 0, rows: 0 };
  const options = { fewest: 0, threads: 1, findsThings: true };
  const onThreads: ReadLog = async function* (database, upTo) {
    for await (const stretch of readOnThreads(url, options)(database, upTo)) {
      if ('page' in stretch) read.pages += 1;
      else read.rows += stretch.rows.length;
      yield stretch;
    }
  };
  try {
    return { slowly: await audit(), fast: await audit(onThreads), read };
  } finally {
    await close();
  }
}

/** The fault, and each of its consequences below it. */
function inWords({ consequences, ...fault }: Fault): readonly string[] {
  const text = faultInWords(fault);
  return [text, ...(consequences?.first ?? []).map((one) => `${text} > ${one}`)];
}
