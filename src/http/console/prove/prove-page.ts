import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import { apiAccessNote } from '../api-access-note.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import { readWorkspaces } from '../workspaces/workspaces-page.ts';

type Deps = ReadDeps & { readonly maxUploadBytes: number };

/** Proves files that are dropped: the browser hashes them, and sends the hashes alone. */
export const provePage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/prove',
  role: 'owner',
  handle: async ({ viewer, root }, deps) => {
    const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
    const content = html`<h1>Prove files</h1>
      ${apiAccessNote(viewer, 'nothing can be proven here.')}
      ${
        workspaces.length === 0
          ? html`<p class="lead">Proofs belong to a workspace. There is none yet.</p>
        <p><a class="button" href="${root}console/workspaces">Create a workspace</a></p>`
          : form(workspaces, { root, formToken: viewer.formToken, ...deps })
      }`;
    const page = { title: 'Prove files', content, root, viewer, place: 'prove' } as const;
    return consoleReply({ ...page, script: 'prove.js', hasThreads: true });
  },
};

/** The form works by its script alone: without one, nothing can be hashed in the browser. */
function form(
  workspaces: readonly { readonly _id: string; readonly name: string }[],
  { root, formToken, maxUploadBytes }: { root: string; formToken: string; maxUploadBytes: number },
): Html {
  return html`<p class="lead">Drop files anywhere on this page. Your browser computes their SHA-256, and
      sends that alone: the files stay with you.</p>
    <noscript><p class="note">Your browser hashes the files, which needs JavaScript. Switch it on for this page.</p></noscript>
    <form id="prove" inert data-follows data-root="${root}" data-token="${formToken}" data-max-bytes="${maxUploadBytes}">
      <label for="workspace">Workspace</label>
      <select id="workspace" name="workspace">${workspaces.map(({ _id, name }) => html`<option value="${_id}">${name}</option>`)}</select>
      <label class="choice"><input type="checkbox" id="upload">
        <span>Also upload the files <span class="hint">The service keeps them, encrypted, and you can get them back. Otherwise keep them yourself: a proof is worth nothing without its file.</span></span></label>
      <div class="drop" id="drop">
        <p class="hint">Drop files or folders here, up to 1,000 files.</p>
        <div class="choose">
          <input type="file" id="files" class="unseen" multiple>
          <label for="files" class="button">Choose files</label>
          <input type="file" id="folder" class="unseen" multiple webkitdirectory>
          <label for="folder" class="button">Choose a folder</label>
        </div>
        <p class="drop-now" aria-hidden="true">Drop to prove</p>
      </div>
    </form>
    <p id="state" role="status"></p>
    <div id="trouble" class="note" role="alert" hidden><p></p><button type="button" class="plain" hidden>Continue</button></div>
    <p id="notice" class="note" role="alert" hidden></p>
    <section id="keep" class="card" aria-labelledby="keep-title" hidden>
      <h2 id="keep-title">Download before you leave this page</h2>
      <p>A certificate contains everything that is needed to verify its proof. If a proof has a nonce, nobody
      can verify it without that nonce. Nonces are confidential. This page shows them once.</p>
      <p class="actions"><button type="button" id="keep-nonces">Download the nonces</button>
        <button type="button" class="plain" id="keep-certificates" hidden>Download the certificates</button></p>
    </section>
    <ul class="cards" id="proofs" aria-label="Files"></ul>`;
}
