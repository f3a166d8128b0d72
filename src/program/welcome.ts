import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFirstOrganisation } from '../commands/open-first-organisation.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { invitationLink } from '../http/console/console-site.ts';
import { newId, now } from './program.ts';

/**
 * On the very first start, creates an organisation, and prints a first call and an invitation to the
 * console.
 *
 * - `address`: of this process, for the call.
 * - `site`: URL that people open the console with.
 */
export async function welcome(store: EventStore, address: string, site: string): Promise<void> {
  const deps = { store, newId, randomBytes, now };
  const made = await openFirstOrganisation(deps, { actor: 'start' });
  if (made === null) return;
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'));
  const hash = createHash('sha256').update(readme).digest('hex');
  const body = JSON.stringify({ hash, workspace: made.workspaceId, fileName: 'README.md' });
  process.stdout.write(
    `\nYour API key, shown this once:\n\n  ${made.key}\n\n` +
      `Anchor a first proof, of this README.md:\n\n` +
      `  curl -sS ${address}/api/v1/proofs -H 'Authorization: Bearer ${made.key}' ` +
      `-H 'Content-Type: application/json' -d '${body}'\n\n` +
      `Open the console with this link, once and within a day:\n\n  ${invitationLink(site, made.invitation)}\n\n`,
  );
}
