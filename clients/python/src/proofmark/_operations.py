"""One method for each operation of the API. Generated from the OpenAPI document: npm run client:python."""

from typing import Iterator, Literal, Optional, Union, cast

from . import types
from ._calls import Calls
from .files import FileToSend


class Operations(Calls):
    """All operations. Bodies and answers are the JSON objects of the API; a refused call raises an ApiError."""

    def create_proof(self, body: types.CreateProofBody, *, respond_async: bool = False) -> Union[types.CreateProofAnswer, types.CreateProofAnswer2]:
        """Proves a file by its hash."""
        return cast(Union[types.CreateProofAnswer, types.CreateProofAnswer2], self._json("POST", ("/proofs", []), body=body, respond_async=respond_async))

    def create_proofs(self, body: types.CreateProofsBody, *, respond_async: bool = False) -> Union[types.CreateProofsAnswer, types.CreateProofsAnswer2]:
        """Proves up to 1,000 files of one workspace by their hashes."""
        return cast(Union[types.CreateProofsAnswer, types.CreateProofsAnswer2], self._json("POST", ("/proofs/batch", []), body=body, respond_async=respond_async))

    def look_up_proofs(self, body: types.LookUpProofsBody) -> types.LookUpProofsAnswer:
        """Tells which of up to 1,000 hashes are proven in a workspace."""
        return cast(types.LookUpProofsAnswer, self._json("POST", ("/proofs/lookup", []), body=body))

    def get_proof(self, proof_id: str, *, include_salt: Optional[bool] = None) -> types.GetProofAnswer:
        """The status of a proof."""
        return cast(types.GetProofAnswer, self._json("GET", ("/proofs/{}", [proof_id]), query={"includeSalt": include_salt}))

    def list_workspaces(self) -> types.ListWorkspacesAnswer:
        """The workspaces of the organisation."""
        return cast(types.ListWorkspacesAnswer, self._json("GET", ("/workspaces", [])))

    def upload_document(self, file: FileToSend, fields: types.UploadDocumentFields, *, respond_async: bool = False) -> types.UploadDocumentAnswer:
        """Uploads a file and proves it."""
        return cast(types.UploadDocumentAnswer, self._json("POST", ("/documents", []), file=file, fields=fields, respond_async=respond_async))

    def list_documents(self, *, page: Optional[int] = None, limit: Optional[int] = None, workspace: Optional[str] = None, blockchain_status: Optional[Literal["pending", "processing", "completed"]] = None, search: Optional[str] = None) -> types.ListDocumentsAnswer:
        """The proofs of the organisation, of uploaded files and of bare hashes, newest first."""
        return cast(types.ListDocumentsAnswer, self._json("GET", ("/documents", []), query={"page": page, "limit": limit, "workspace": workspace, "blockchainStatus": blockchain_status, "search": search}))

    def iter_documents(self, *, workspace: Optional[str] = None, blockchain_status: Optional[Literal["pending", "processing", "completed"]] = None, search: Optional[str] = None) -> Iterator[types.Document]:
        """The proofs of the organisation, of uploaded files and of bare hashes, newest first: all pages, one item after the other."""
        return cast(Iterator[types.Document], self._pages(("/documents", []), 100, "proofId", at_root=False, query={"workspace": workspace, "blockchainStatus": blockchain_status, "search": search}))

    def upload_revision(self, id: str, file: FileToSend, fields: types.UploadRevisionFields, *, respond_async: bool = False) -> types.UploadRevisionAnswer:
        """Uploads a new revision of a stored document."""
        return cast(types.UploadRevisionAnswer, self._json("POST", ("/documents/{}/version", [id]), file=file, fields=fields, respond_async=respond_async, idempotent=False))

    def get_document(self, id: str) -> types.GetDocumentAnswer:
        """A stored document, of any revision."""
        return cast(types.GetDocumentAnswer, self._json("GET", ("/documents/{}", [id])))

    def get_document_file(self, id: str) -> bytes:
        """The bytes of a stored document, verified against their hash."""
        return self._bytes("GET", ("/documents/{}/file", [id]))

    def list_document_versions(self, id: str) -> types.ListDocumentVersionsAnswer:
        """All revisions of a stored document, the first upload first."""
        return cast(types.ListDocumentVersionsAnswer, self._json("GET", ("/documents/{}/versions", [id])))

    def get_certificate(self, proof_id: str, *, number: Optional[int] = None) -> bytes:
        """The newest certificate of a proof, or the one of the number: a PDF that anybody can check."""
        return self._bytes("GET", ("/certificates/{}", [proof_id]), query={"number": number})

    def get_proof_bundle(self, proof_id: str, *, share: Optional[bool] = None, number: Optional[int] = None) -> types.ProofBundle:
        """The proof bundle that is attached to the newest certificate, or to the one of the number; with share=true, without the nonce."""
        return cast(types.ProofBundle, self._json("GET", ("/proofs/{}/bundle", [proof_id]), query={"share": share, "number": number}))

    def get_proof_xpop(self, proof_id: str, *, form: Optional[Literal["list", "tree"]] = None) -> types.Xpop:
        """The proof as an XPOP (XLS-41), for programs that others wrote."""
        return cast(types.Xpop, self._json("GET", ("/proofs/{}/xpop", [proof_id]), query={"form": form}))

    def list_certificates(self, proof_id: str) -> types.ListCertificatesAnswer:
        """The certificates of a proof that were issued so far, the first one first."""
        return cast(types.ListCertificatesAnswer, self._json("GET", ("/proofs/{}/certificates", [proof_id])))

    def create_link(self, proof_id: str, body: types.CreateLinkBody) -> types.CreateLinkAnswer:
        """Shares a proof: a page that everybody can see who has its address."""
        return cast(types.CreateLinkAnswer, self._json("POST", ("/proofs/{}/links", [proof_id]), body=body, idempotent=False))

    def list_links(self, proof_id: str) -> types.ListLinksAnswer:
        """The links by which a proof is shared now, the oldest first, without their addresses."""
        return cast(types.ListLinksAnswer, self._json("GET", ("/proofs/{}/links", [proof_id])))

    def withdraw_link(self, proof_id: str, link_id: str) -> types.WithdrawLinkAnswer:
        """Withdraws a link: its page says at once that the proof is no longer shared."""
        return cast(types.WithdrawLinkAnswer, self._json("DELETE", ("/proofs/{}/links/{}", [proof_id, link_id])))

    def get_proof_inclusion(self, proof_id: str) -> types.GetProofInclusionAnswer:
        """The inclusion proof of an anchoring in the published log, under its newest checkpoint."""
        return cast(types.GetProofInclusionAnswer, self._json("GET", ("/proofs/{}/inclusion", [proof_id])))

    def get_proof_timestamp(self, proof_id: str) -> types.GetProofTimestampAnswer:
        """The time of an anchoring, as a time-stamping authority has confirmed it."""
        return cast(types.GetProofTimestampAnswer, self._json("GET", ("/proofs/{}/timestamp", [proof_id])))

    def record_agent_run(self, body: types.AgentRunReport) -> types.RecordAgentRunAnswer:
        """Records a run (sweep) of an agent, permanently."""
        return cast(types.RecordAgentRunAnswer, self._json("POST", ("/agent/runs", []), body=body))

    def list_agent_runs(self, *, page: Optional[int] = None, limit: Optional[int] = None, workspace: Optional[str] = None, objective: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, mode: Optional[str] = None, protected_only: Optional[str] = None) -> types.ListAgentRunsAnswer:
        """The runs (sweeps) of agents, most recently recorded first."""
        return cast(types.ListAgentRunsAnswer, self._json("GET", ("/agent/runs", []), query={"page": page, "limit": limit, "workspace": workspace, "objective": objective, "from": from_, "to": to, "mode": mode, "protectedOnly": protected_only}))

    def iter_agent_runs(self, *, workspace: Optional[str] = None, objective: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, mode: Optional[str] = None, protected_only: Optional[str] = None) -> Iterator[types.AgentRun]:
        """The runs (sweeps) of agents, most recently recorded first: all pages, one item after the other."""
        return cast(Iterator[types.AgentRun], self._pages(("/agent/runs", []), 100, "id", at_root=False, query={"workspace": workspace, "objective": objective, "from": from_, "to": to, "mode": mode, "protectedOnly": protected_only}))

    def get_agent_run(self, id: str, *, documents_page: Optional[int] = None) -> types.GetAgentRunAnswer:
        """An agent run with its decisions, and the documents whose classification names the run."""
        return cast(types.GetAgentRunAnswer, self._json("GET", ("/agent/runs/{}", [id]), query={"documentsPage": documents_page}))

    def get_agent_run_statement(self, id: str) -> types.AgentRunStatement:
        """The statement of an agent run: exactly the bytes whose SHA-256 is anchored."""
        return cast(types.AgentRunStatement, self._json("GET", ("/agent/runs/{}/statement", [id])))

    def get_agent_decision_proof(self, id: str, index: int) -> types.GetAgentDecisionProofAnswer:
        """One decision of an agent run, with the proof that it is in the statement of the run."""
        return cast(types.GetAgentDecisionProofAnswer, self._json("GET", ("/agent/runs/{}/decisions/{}", [id, index])))

    def list_agent_decisions(self, *, page: Optional[int] = None, limit: Optional[int] = None, workspace: Optional[str] = None, objective: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, run_id: Optional[str] = None, mode: Optional[Literal["interactive", "unattended"]] = None, action: Optional[str] = None, file_hash: Optional[str] = None, proof_id: Optional[str] = None) -> types.ListAgentDecisionsAnswer:
        """The decisions of all agent runs; those of the most recently recorded run come first."""
        return cast(types.ListAgentDecisionsAnswer, self._json("GET", ("/agent/decisions", []), query={"page": page, "limit": limit, "workspace": workspace, "objective": objective, "from": from_, "to": to, "runId": run_id, "mode": mode, "action": action, "fileHash": file_hash, "proofId": proof_id}))

    def iter_agent_decisions(self, *, workspace: Optional[str] = None, objective: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, run_id: Optional[str] = None, mode: Optional[Literal["interactive", "unattended"]] = None, action: Optional[str] = None, file_hash: Optional[str] = None, proof_id: Optional[str] = None) -> Iterator[types.DecisionOfRun]:
        """The decisions of all agent runs; those of the most recently recorded run come first: all pages, one item after the other."""
        return cast(Iterator[types.DecisionOfRun], self._pages(("/agent/decisions", []), 100, None, at_root=False, query={"workspace": workspace, "objective": objective, "from": from_, "to": to, "runId": run_id, "mode": mode, "action": action, "fileHash": file_hash, "proofId": proof_id}))

    def list_webhooks(self) -> types.ListWebhooksAnswer:
        """The webhook endpoints of the organisation, without their secrets."""
        return cast(types.ListWebhooksAnswer, self._json("GET", ("/webhooks", [])))

    def create_webhook(self, body: types.CreateWebhookBody) -> types.CreateWebhookAnswer:
        """Registers a webhook endpoint."""
        return cast(types.CreateWebhookAnswer, self._json("POST", ("/webhooks", []), body=body, idempotent=False))

    def change_webhook(self, id: str, body: types.ChangeWebhookBody) -> types.ChangeWebhookAnswer:
        """Changes a webhook endpoint, disables it, or enables it again."""
        return cast(types.ChangeWebhookAnswer, self._json("PATCH", ("/webhooks/{}", [id]), body=body))

    def delete_webhook(self, id: str) -> types.DeleteWebhookAnswer:
        """Deletes a webhook endpoint; nothing more is sent to it."""
        return cast(types.DeleteWebhookAnswer, self._json("DELETE", ("/webhooks/{}", [id])))

    def rotate_webhook_secret(self, id: str, *, overlap_seconds: Optional[int] = None) -> types.RotateWebhookSecretAnswer:
        """Gives a webhook endpoint a new secret; previous secrets stay valid for a while."""
        return cast(types.RotateWebhookSecretAnswer, self._json("POST", ("/webhooks/{}/rotate-secret", [id]), query={"overlapSeconds": overlap_seconds}, idempotent=False))

    def test_webhook(self, id: str) -> types.TestWebhookAnswer:
        """Sends webhook.test to an endpoint now, even if the endpoint is disabled."""
        return cast(types.TestWebhookAnswer, self._json("POST", ("/webhooks/{}/test", [id]), idempotent=False))

    def list_webhook_deliveries(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None) -> types.ListWebhookDeliveriesAnswer:
        """The deliveries to a webhook endpoint, past and pending, newest first."""
        return cast(types.ListWebhookDeliveriesAnswer, self._json("GET", ("/webhooks/{}/deliveries", [id]), query={"page": page, "limit": limit}))

    def iter_webhook_deliveries(self, id: str) -> Iterator[types.Delivery]:
        """The deliveries to a webhook endpoint, past and pending, newest first: all pages, one item after the other."""
        return cast(Iterator[types.Delivery], self._pages(("/webhooks/{}/deliveries", [id]), 100, "id", at_root=False, query={}))

    def retry_webhook_delivery(self, id: str, delivery_id: str) -> types.RetryWebhookDeliveryAnswer:
        """Sends a delivery again, whatever its status."""
        return cast(types.RetryWebhookDeliveryAnswer, self._json("POST", ("/webhooks/{}/deliveries/{}/retry", [id, delivery_id]), idempotent=False))

    def retry_failed_webhook_deliveries(self, id: str, body: types.RetryFailedWebhookDeliveriesBody) -> types.RetryFailedWebhookDeliveriesAnswer:
        """Sends all deliveries again that failed or were held, of events since a time."""
        return cast(types.RetryFailedWebhookDeliveriesAnswer, self._json("POST", ("/webhooks/{}/deliveries/retry", [id]), body=body, idempotent=False))

    def list_api_keys(self, *, page: Optional[int] = None, limit: Optional[int] = None) -> types.ListApiKeysAnswer:
        """The API keys of the organisation, oldest first."""
        return cast(types.ListApiKeysAnswer, self._json("GET", ("/api-keys", []), query={"page": page, "limit": limit}))

    def iter_api_keys(self) -> Iterator[types.ApiKey]:
        """The API keys of the organisation, oldest first: all pages, one item after the other."""
        return cast(Iterator[types.ApiKey], self._pages(("/api-keys", []), 100, "id", at_root=False, query={}))

    def create_api_key(self, body: types.CreateApiKeyBody) -> types.CreateApiKeyAnswer:
        """Issues an API key with no more rights than the requesting key."""
        return cast(types.CreateApiKeyAnswer, self._json("POST", ("/api-keys", []), body=body, idempotent=False))

    def revoke_api_key(self, id: str) -> types.RevokeApiKeyAnswer:
        """Revokes an API key permanently."""
        return cast(types.RevokeApiKeyAnswer, self._json("DELETE", ("/api-keys/{}", [id])))

    def get_quickstart(self) -> types.GetQuickstartAnswer:
        """The quickstart for programs: how to call the API and how to verify a proof."""
        return cast(types.GetQuickstartAnswer, self._json("GET", ("/docs", [])))

    def get_open_api(self) -> types.GetOpenApiAnswer:
        """The OpenAPI document of this API."""
        return cast(types.GetOpenApiAnswer, self._json("GET", ("/openapi.json", [])))

    def list_issuer_keys(self) -> types.ListIssuerKeysAnswer:
        """All keys with which the issuer signed bundles, newest first."""
        return cast(types.ListIssuerKeysAnswer, self._json("GET", ("/issuer-keys", [])))

    def verify_transaction(self, tx_hash: str) -> types.VerifyTransactionAnswer:
        """Verifies a ledger transaction; no key is needed."""
        return cast(types.VerifyTransactionAnswer, self._json("GET", ("/api/public/verify/{}", [tx_hash]), at_root=True))

    def get_log_checkpoint(self) -> str:
        """The newest checkpoint of the log: the number of its events, and the root of their tree."""
        return self._text("GET", ("/log/checkpoint", []), at_root=True)

    def list_log_checkpoints(self, *, page: Optional[int] = None, limit: Optional[int] = None, anchored: Optional[bool] = None) -> types.ListLogCheckpointsAnswer:
        """The published checkpoints of the log, newest first."""
        return cast(types.ListLogCheckpointsAnswer, self._json("GET", ("/log/checkpoints", []), at_root=True, query={"page": page, "limit": limit, "anchored": anchored}))

    def iter_log_checkpoints(self, *, anchored: Optional[bool] = None) -> Iterator[types.LogCheckpoint]:
        """The published checkpoints of the log, newest first: all pages, one item after the other."""
        return cast(Iterator[types.LogCheckpoint], self._pages(("/log/checkpoints", []), 20, "number", at_root=True, query={"anchored": anchored}))

    def list_log_verifiers(self) -> types.ListLogVerifiersAnswer:
        """The newest verifiers (`verify.py`) that this service has offered, with their places in the log."""
        return cast(types.ListLogVerifiersAnswer, self._json("GET", ("/log/verifiers", []), at_root=True))

    def get_log_leaf(self, leaf_index: int) -> types.GetLogLeafAnswer:
        """A leaf of the log, with its inclusion proof under the newest checkpoint."""
        return cast(types.GetLogLeafAnswer, self._json("GET", ("/log/leaves/{}", [leaf_index]), at_root=True))

    def get_log_proof(self, proof_id: str) -> types.GetLogProofAnswer:
        """The leaf of the anchoring of a proof, with its inclusion proof; no key is needed."""
        return cast(types.GetLogProofAnswer, self._json("GET", ("/log/proofs/{}", [proof_id]), at_root=True))

    def get_log_certificate(self, sha256: str) -> types.GetLogCertificateAnswer:
        """Whether a PDF is a certificate that this service issued, byte for byte."""
        return cast(types.GetLogCertificateAnswer, self._json("GET", ("/log/certificates/{}", [sha256]), at_root=True))

    def get_log_tile(self, tile: str) -> bytes:
        """A tile of the tree: 256 concatenated hashes, or fewer in a partial tile."""
        return self._bytes("GET", ("/log/tile/{}", [tile]), at_root=True)

    def get_health(self) -> types.GetHealthAnswer:
        """Reports that the process is running."""
        return cast(types.GetHealthAnswer, self._json("GET", ("/healthz", []), at_root=True))

    def get_readiness(self) -> types.GetReadinessAnswer:
        """Reports whether the service is ready."""
        return cast(types.GetReadinessAnswer, self._json("GET", ("/readyz", []), at_root=True))
