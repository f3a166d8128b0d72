import type { OrganisationId } from '../../src/domain/ulid.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { askOperator, type Terminal } from '../terminal/ask-operator.ts';
import { printable } from '../terminal/printable.ts';

/**
 * Asks for the name of the organisation. Rejects if the operator types another name, or if the
 * input is no terminal. Nothing is erased then.
 */
export async function confirmErasure(
  { organisationId, name }: { readonly organisationId: OrganisationId; readonly name: string },
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!terminal.input.isTTY) {
    throw new OperatorError(
      `nothing was erased: use --yes to permanently erase organisation ${organisationId}`,
    );
  }
  const shown = printable(name).trim();
  const asked = `This cannot be undone. Type the name of the organisation (${shown}): `;
  const typed = (await askOperator(asked, terminal))?.trim();
  if (typed === shown || typed === name.trim()) return;
  throw new OperatorError('nothing was erased: the typed name is not the name of the organisation');
}
