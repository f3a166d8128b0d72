import { hasApiAccess } from '../../domain/organisation/plan.ts';
import type { Viewer } from './console-route.ts';
import { type Html, html } from './html.ts';

/** Says that a page's forms are refused without API access; null if they work. */
export function apiAccessNote({ organisation }: Viewer, consequence: string): Html | null {
  if (hasApiAccess(organisation)) return null;
  return html`<p class="note">The plan of your organisation does not include API access, or it is
      switched off: ${consequence}</p>`;
}
