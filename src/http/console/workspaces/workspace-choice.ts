import { type Html, html } from '../html.ts';
import { shortened } from '../untrusted.ts';

export interface NamedWorkspace {
  readonly _id: string;
  readonly name: string;
}

const mostOptions = 100;

/** Field of a filter by workspace: a list of names, or of an id if there are too many workspaces. */
export function workspaceChoice(workspaces: readonly NamedWorkspace[], chosen: string): Html {
  if (workspaces.length > mostOptions) {
    return html`<div><label for="workspace">Workspace, by its id</label>
        <input id="workspace" name="workspace" maxlength="26" value="${chosen}"></div>`;
  }
  const options = workspaces.map(
    ({ _id, name }) =>
      html`<option value="${_id}"${_id === chosen && html` selected`}>${shortened(name, 60)}</option>`,
  );
  return html`<div><label for="workspace">Workspace</label>
      <select id="workspace" name="workspace" dir="auto"><option value="">All</option>${options}</select></div>`;
}
