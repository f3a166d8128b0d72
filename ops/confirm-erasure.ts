import type { OrganisationId } from '../src/domain/ulid.ts';
import { askOperator, type Terminal } from './ask-operator.ts';
import { printable } from './printable.ts';

/**
 * Asks for the name of what is to be erased. Rejects, saying that nothing is, unless that is typed as it is
 * shown, and where nobody can be asked.
 */
export async function confirmErasure(
  { organisationId, name }: { readonly organisationId: OrganisationId; readonly name: string },
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!terminal.input.isTTY) {
    throw new Error(
      `nothing is erased: say --yes to erase organisation ${organisationId} for ever`,
    );
  }
  const shown = printable(name).trim();
  const asked = `This cannot be undone. Type the name of the organisation (${shown}): `;
  const typed = (await askOperator(asked, terminal))?.trim();
  if (typed === shown || typed === name.trim()) return;
  throw new Error('nothing is erased: that is not its name');
}
