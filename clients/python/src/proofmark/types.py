"""Types of all bodies, as the API sends and receives them. Generated from the OpenAPI document: npm run client:python."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class AgentRun(TypedDict):
    id: str
    runId: str
    workspace: Optional[str]
    startedAt: Optional[str]
    finishedAt: Optional[str]
    mode: Optional[Literal["interactive", "unattended"]]
    objective: Optional[str]
    trigger: Any
    counts: Any
    coverage: Any
    connectorsReached: Any
    connectorsUnreachable: Any
    unreadableGroups: Any
    network: Any
    noOp: bool
    decisionsReported: int
    decisionsTruncated: bool


class _AgentRunReport(TypedDict):
    runId: str


class AgentRunReport(_AgentRunReport, total=False):
    workspace: Optional[str]
    startedAt: Optional[str]
    finishedAt: Optional[str]
    mode: Optional[Literal["interactive", "unattended"]]
    objective: Optional[str]
    trigger: Any
    counts: Any
    coverage: Any
    connectorsReached: Any
    connectorsUnreachable: Any
    unreadableGroups: Any
    network: Any
    noOp: Optional[bool]
    anchor: Optional[bool]
    decisions: Optional[List[Dict[str, Any]]]


class AgentRunStatement(TypedDict):
    runId: str
    workspace: Optional[str]
    startedAt: Optional[str]
    finishedAt: Optional[str]
    mode: Optional[Literal["interactive", "unattended"]]
    objective: Optional[str]
    trigger: Any
    counts: Any
    coverage: Any
    connectorsReached: Any
    connectorsUnreachable: Any
    unreadableGroups: Any
    network: Any
    decisionsReported: int
    format: Literal["proofmark/agent-run"]
    version: Literal[1]
    noOp: Optional[bool]
    decisionsStored: int
    decisionsRootHash: str


class AnchoringAccount(TypedDict):
    network: Literal["mainnet", "testnet", "standalone"]
    address: str
    status: Literal["current", "retired"]


class ApiKey(TypedDict):
    id: str
    prefix: str
    name: Optional[str]
    scopes: List["Scope"]
    agent: bool
    status: Literal["valid", "expired", "revoked"]
    createdAt: str
    expiresAt: Optional[str]
    lastUsedAt: Optional[str]
    requestsPerMinute: Optional[int]
    requestsPerDay: Optional[int]
    issuedBy: Optional[str]


class _BatchResultBody1(TypedDict):
    success: Literal[True]
    data: "ProofData"


class BatchResultBody1(_BatchResultBody1, total=False):
    alreadyProven: Literal[True]


class _BatchResult(TypedDict):
    status: int
    body: Union["BatchResultBody1", "ItemError"]


class BatchResult(_BatchResult, total=False):
    retryAfterSeconds: int


class Certificate(TypedDict):
    number: int
    issuedAt: str
    evidence: Literal["attested", "pending"]
    successor: Optional[int]
    sizeBytes: int
    pdfHash: str
    bundleHash: str
    certPath: str
    bundlePath: str


class CountedPageMeta(TypedDict):
    page: int
    limit: int
    total: int
    totalPages: int


Decision = Dict[str, Any]


DecisionOfRun = Dict[str, Any]


class _DecisionProof(TypedDict):
    runId: str
    decisionIndex: int
    decision: "Decision"
    canonicalDecision: str
    leafHash: str
    treeSize: int
    rootHash: str
    hashes: List[str]
    statement: str
    statementHash: str


class DecisionProof(_DecisionProof, total=False):
    proof: "ProofStatus"


class Delivery(TypedDict):
    id: str
    deliveryId: str
    type: "WebhookEventKind"
    status: Literal["pending", "delivered", "failed", "held"]
    createdAt: str
    attempts: int
    lastAttemptAt: Optional[str]
    nextAttemptAt: Optional[str]
    responseStatus: Optional[int]
    error: Optional[str]
    durationMs: Optional[int]


class Document(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    proofNonce: Optional[str]
    blockchainStatus: Literal["pending", "processing", "completed"]
    evidence: Literal["attested", "pending"]
    fileName: Optional[str]
    fileHash: str
    fileSize: Optional[int]
    mimeType: Optional[str]
    description: Optional[str]
    metadata: Dict[str, Any]
    id: Optional[str]
    documentId: Optional[str]
    workspace: str
    revision: Optional[int]
    rootDocumentId: Optional[str]
    previousDocumentId: Optional[str]
    previousTxHash: Optional[str]
    agentClassification: Optional[Dict[str, Any]]
    uploadedAt: Optional[str]


class EndpointSkeleton(TypedDict):
    operationId: str
    method: str
    path: str
    url: str
    scope: Optional[Literal["documents:write", "documents:read", "certificates:read", "workspaces:read", "webhooks:manage", "api-keys:manage", "links:manage"]]
    summary: str
    parameters: List[Dict[str, Any]]
    contentType: Optional[str]
    requiredFields: List[str]
    exampleBody: Any
    success: List[int]


class Failure(TypedDict):
    code: Literal["XRPL_ERROR", "GIVEN_UP"]
    message: str
    final: bool


class IssuedApiKey(TypedDict):
    id: str
    prefix: str
    name: Optional[str]
    scopes: List["Scope"]
    agent: bool
    status: Literal["valid", "expired", "revoked"]
    createdAt: str
    expiresAt: Optional[str]
    lastUsedAt: Optional[str]
    requestsPerMinute: Optional[int]
    requestsPerDay: Optional[int]
    issuedBy: Optional[str]
    key: str


IssuerKey = Dict[str, Any]


class _ItemError(TypedDict):
    success: Literal[False]
    code: Literal["INVALID_HASH", "INVALID_WORKSPACE", "INVALID_REQUEST", "COMPANY_SUSPENDED", "INTERNAL_ERROR", "XRPL_ERROR", "PROOF_NOT_RECORDED", "SERVICE_UNAVAILABLE"]
    message: str


class ItemError(_ItemError, total=False):
    proofId: str


class KnownHash(TypedDict):
    hash: str
    proven: bool
    proofId: Optional[str]
    blockchainStatus: Optional[Literal["pending", "processing", "completed"]]
    txHash: Optional[str]
    timestamp: Optional[str]


class Link(TypedDict):
    id: str
    proofId: str
    showFileName: bool
    allowIndexing: bool
    createdAt: str
    expiresAt: Optional[str]


class LogCheckpointAnchor(TypedDict):
    network: Literal["mainnet", "testnet", "standalone"]
    standalone: bool
    transactionHash: str
    explorerUrl: Optional[str]
    ledgerIndex: int
    ledgerCloseTime: str
    memo: str


class LogCheckpointTimestamp(TypedDict):
    time: str
    authority: str
    token: str


class LogCheckpoint(TypedDict):
    number: int
    checkpoint: str
    logKeys: List[str]
    anchor: Optional["LogCheckpointAnchor"]
    timestamp: Optional["LogCheckpointTimestamp"]


class NewLink(TypedDict):
    id: str
    proofId: str
    showFileName: bool
    allowIndexing: bool
    createdAt: str
    expiresAt: Optional[str]
    url: str
    badgeUrl: str
    bundleUrl: str


class PageMeta(TypedDict):
    page: int
    limit: int
    total: int


class _ProofBundle(TypedDict):
    format: Literal["proofmark/bundle"]
    version: Literal[1, 2, 3, 4, 5, 6]
    certificate: Dict[str, Any]
    file: Dict[str, Any]
    commitment: Dict[str, Any]
    revision: Dict[str, Any]
    anchor: Dict[str, Any]
    evidence: Dict[str, Any]
    addresses: Dict[str, Any]
    checksum: str


class ProofBundle(_ProofBundle, total=False):
    log: Dict[str, Any]
    attestation: Optional[Dict[str, Any]]
    timestamp: Optional[Dict[str, Any]]
    issuer: Dict[str, Any]


class ProofData(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    proofNonce: Optional[str]


class ProofStatus(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    proofNonce: Optional[str]
    blockchainStatus: Literal["pending", "processing", "completed"]
    evidence: Literal["attested", "pending"]
    fileName: Optional[str]
    fileHash: str
    fileSize: Optional[int]
    mimeType: Optional[str]
    description: Optional[str]
    metadata: Dict[str, Any]


class QueuedBatchResultBody1(TypedDict):
    success: Literal[True]
    data: "ProofStatus"


class _QueuedBatchResultBody2(TypedDict):
    success: Literal[True]
    data: "ProofData"


class QueuedBatchResultBody2(_QueuedBatchResultBody2, total=False):
    alreadyProven: Literal[True]


class _QueuedBatchResult(TypedDict):
    status: int
    body: Union["QueuedBatchResultBody1", "QueuedBatchResultBody2", "ItemError"]


class QueuedBatchResult(_QueuedBatchResult, total=False):
    retryAfterSeconds: int


class QuickstartBaseUrls(TypedDict):
    base_url: str
    cors_base_url: str
    api_root: str
    public_verify_url: str
    openapi_url: str
    reference_url: str
    mcp_url: str


class QuickstartAuthScopesItem(TypedDict):
    scope: Literal["documents:write", "documents:read", "certificates:read", "workspaces:read", "webhooks:manage", "api-keys:manage", "links:manage"]
    operations: List[str]


class QuickstartAuth(TypedDict):
    scheme: Literal["bearer"]
    header: str
    keyPattern: str
    keysFrom: str
    scopes: List["QuickstartAuthScopesItem"]
    withoutKey: List[str]
    recommendedForAgents: List[Literal["documents:write", "documents:read", "certificates:read", "workspaces:read", "webhooks:manage", "api-keys:manage", "links:manage"]]
    neverForAgents: List[Literal["documents:write", "documents:read", "certificates:read", "workspaces:read", "webhooks:manage", "api-keys:manage", "links:manage"]]


class QuickstartRateLimitsCostlierCallsItem(TypedDict):
    operationId: str
    cost: str


class QuickstartRateLimits(TypedDict):
    requestsPerMinute: int
    requestsPerDay: int
    organisationRequestsPerMinute: int
    organisationRequestsPerDay: int
    itemsPerDay: int
    organisationItemsPerDay: int
    withoutKeyPerMinute: int
    costlierCalls: List["QuickstartRateLimitsCostlierCallsItem"]
    headers: List[str]
    onExceeded: str


class QuickstartVerificationVerifier(TypedDict):
    url: str
    sha256: str
    historyUrl: str


class QuickstartVerification(TypedDict):
    rule: str
    recipes: List["VerificationRecipe"]
    verifier: "QuickstartVerificationVerifier"


class QuickstartWebhooksHeadersItem(TypedDict):
    name: str
    description: str


class QuickstartWebhooksSignatureExample(TypedDict):
    secret: str
    headers: Dict[str, str]
    body: str


class QuickstartWebhooksSignature(TypedDict):
    standard: str
    rule: str
    run: str
    needs: Dict[str, str]
    example: "QuickstartWebhooksSignatureExample"


class QuickstartWebhooksEventsItem(TypedDict):
    kind: str
    when: str
    content: str
    example: Any


class QuickstartWebhooks(TypedDict):
    register: str
    headers: List["QuickstartWebhooksHeadersItem"]
    signature: "QuickstartWebhooksSignature"
    answer: str
    events: List["QuickstartWebhooksEventsItem"]


class QuickstartErrorsItem(TypedDict):
    code: str
    status: int
    meaning: str
    retry: str


class Quickstart(TypedDict):
    name: Literal["Proofmark"]
    version: str
    contractVersion: str
    summary: str
    baseUrls: "QuickstartBaseUrls"
    auth: "QuickstartAuth"
    workspaces: List[str]
    endpoints: List["EndpointSkeleton"]
    rateLimits: "QuickstartRateLimits"
    verification: "QuickstartVerification"
    webhooks: "QuickstartWebhooks"
    security: List[str]
    anchoringAccounts: List["AnchoringAccount"]
    logKeys: List[str]
    issuerKeys: List[str]
    errors: List["QuickstartErrorsItem"]


class _RecordedAgentRun(TypedDict):
    id: str
    runId: str
    workspace: Optional[str]
    startedAt: Optional[str]
    finishedAt: Optional[str]
    mode: Optional[Literal["interactive", "unattended"]]
    objective: Optional[str]
    trigger: Any
    counts: Any
    coverage: Any
    connectorsReached: Any
    connectorsUnreachable: Any
    unreadableGroups: Any
    network: Any
    noOp: bool
    decisionsReported: int
    decisionsTruncated: bool


class RecordedAgentRun(_RecordedAgentRun, total=False):
    proof: "ProofStatus"


class RegisteredWebhookEndpoint(TypedDict):
    id: str
    url: str
    events: List["WebhookEventKind"]
    description: Optional[str]
    status: Literal["active", "disabled"]
    createdAt: str
    disabledAt: Optional[str]
    lastDelivery: Optional["Delivery"]
    secret: str


class RotatedWebhookEndpoint(TypedDict):
    id: str
    url: str
    events: List["WebhookEventKind"]
    description: Optional[str]
    status: Literal["active", "disabled"]
    createdAt: str
    disabledAt: Optional[str]
    lastDelivery: Optional["Delivery"]
    secret: str
    previousSecretsUntil: str


Scope = Literal["documents:write", "documents:read", "certificates:read", "workspaces:read", "webhooks:manage", "api-keys:manage", "links:manage"]


class _Verification(TypedDict):
    transactionHash: str
    txHash: str
    network: Literal["mainnet", "testnet", "standalone"]
    verified: bool
    explorerUrl: str
    verifyPageUrl: str
    ledgerIndex: int
    ledgerCloseTime: str
    memo: Optional[Dict[str, Any]]
    account: str
    standalone: bool


class Verification(_Verification, total=False):
    reason: str
    reasonCode: Literal["TRANSACTION_FAILED", "FOREIGN_ACCOUNT", "MALFORMED_MEMO", "LEDGER_RESET", "LEDGER_CONTRADICTS"]


class VerificationRecipeStepsItem(TypedDict):
    run: str
    gives: str


class VerificationRecipeExpectItem(TypedDict):
    value: str
    equals: Any


class VerificationRecipe(TypedDict):
    name: str
    when: str
    hashSchemes: List[Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]]
    needs: Dict[str, str]
    steps: List["VerificationRecipeStepsItem"]
    expect: List["VerificationRecipeExpectItem"]


class _WebhookAgentRun(TypedDict):
    id: str
    runId: str
    workspace: Optional[str]
    startedAt: Optional[str]
    finishedAt: Optional[str]
    mode: Optional[Literal["interactive", "unattended"]]
    noOp: bool
    decisionsReported: int
    decisionsTruncated: bool


class WebhookAgentRun(_WebhookAgentRun, total=False):
    objective: Optional[str]
    trigger: Any
    counts: Any
    coverage: Any
    connectorsReached: Any
    connectorsUnreachable: Any
    unreadableGroups: Any
    network: Any
    omitted: List[str]


class _WebhookDocument(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    blockchainStatus: Literal["pending", "processing", "completed"]
    evidence: Literal["attested", "pending"]
    fileName: Optional[str]
    fileHash: str
    fileSize: Optional[int]
    mimeType: Optional[str]
    description: Optional[str]
    id: Optional[str]
    documentId: Optional[str]
    workspace: str
    revision: Optional[int]
    rootDocumentId: Optional[str]
    previousDocumentId: Optional[str]
    previousTxHash: Optional[str]
    uploadedAt: Optional[str]


class WebhookDocument(_WebhookDocument, total=False):
    metadata: Dict[str, Any]
    failure: "Failure"
    omitted: List[str]


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    events: List["WebhookEventKind"]
    description: Optional[str]
    status: Literal["active", "disabled"]
    createdAt: str
    disabledAt: Optional[str]
    lastDelivery: Optional["Delivery"]


WebhookEventKind = Literal["document.created", "upload.completed", "upload.failed", "certificate.generated", "workspace.created", "proof.completed", "proof.failed", "proof.attested", "revision.created", "agent.run.recorded", "webhook.test"]


class _WebhookFailedDocument(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    blockchainStatus: Literal["pending", "processing", "completed"]
    evidence: Literal["attested", "pending"]
    fileName: Optional[str]
    fileHash: str
    fileSize: Optional[int]
    mimeType: Optional[str]
    description: Optional[str]
    id: Optional[str]
    documentId: Optional[str]
    workspace: str
    revision: Optional[int]
    rootDocumentId: Optional[str]
    previousDocumentId: Optional[str]
    previousTxHash: Optional[str]
    uploadedAt: Optional[str]
    failure: "Failure"


class WebhookFailedDocument(_WebhookFailedDocument, total=False):
    metadata: Dict[str, Any]
    omitted: List[str]


class _WebhookFailedProof(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    blockchainStatus: Literal["pending", "processing", "completed"]
    evidence: Literal["attested", "pending"]
    fileName: Optional[str]
    fileHash: str
    fileSize: Optional[int]
    mimeType: Optional[str]
    description: Optional[str]
    failure: "Failure"


class WebhookFailedProof(_WebhookFailedProof, total=False):
    metadata: Dict[str, Any]
    omitted: List[str]


class _WebhookProof(TypedDict):
    proofId: str
    txHash: Optional[str]
    verifyUrl: Optional[str]
    verifyPageUrl: Optional[str]
    certPath: str
    ledger: Literal["mainnet", "testnet"]
    standalone: bool
    ledgerIndex: Optional[int]
    requestedAt: str
    timestamp: Optional[str]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]
    proofCommitment: Optional[str]
    blockchainStatus: Literal["pending", "processing", "completed"]
    evidence: Literal["attested", "pending"]
    fileName: Optional[str]
    fileHash: str
    fileSize: Optional[int]
    mimeType: Optional[str]
    description: Optional[str]


class WebhookProof(_WebhookProof, total=False):
    metadata: Dict[str, Any]
    omitted: List[str]


class WebhookTest(TypedDict):
    id: str


class _WholeAgentRun(TypedDict):
    id: str
    runId: str
    workspace: Optional[str]
    startedAt: Optional[str]
    finishedAt: Optional[str]
    mode: Optional[Literal["interactive", "unattended"]]
    objective: Optional[str]
    trigger: Any
    counts: Any
    coverage: Any
    connectorsReached: Any
    connectorsUnreachable: Any
    unreadableGroups: Any
    network: Any
    noOp: bool
    decisionsReported: int
    decisionsTruncated: bool
    decisions: List["Decision"]
    documents: List["Document"]
    documentsTotal: int


class WholeAgentRun(_WholeAgentRun, total=False):
    proof: "ProofStatus"


class Workspace(TypedDict):
    _id: str
    id: str
    name: str


class XpopLedger(TypedDict):
    index: int
    coins: str
    phash: str
    txroot: str
    acroot: str
    pclose: int
    close: int
    cres: int
    flags: int


class XpopValidationUnl(TypedDict):
    public_key: str
    manifest: str
    blob: str
    signature: str
    version: Literal[1]


class XpopValidation(TypedDict):
    data: Dict[str, str]
    unl: "XpopValidationUnl"


class XpopTransaction(TypedDict):
    blob: str
    meta: str
    proof: Union[List[Any], Dict[str, Any]]


class Xpop(TypedDict):
    ledger: "XpopLedger"
    validation: "XpopValidation"
    transaction: "XpopTransaction"


class Usage(TypedDict):
    used: int
    limit: int
    remaining: int
    unit: Literal["documents", "bytes"]


class _CreateProofBody(TypedDict):
    hash: str
    workspace: str


class CreateProofBody(_CreateProofBody, total=False):
    fileName: Optional[str]
    fileSize: Optional[int]
    mimeType: Optional[str]
    metadata: Optional[Dict[str, Any]]
    hashScheme: Optional[Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]]


class _CreateProofAnswer(TypedDict):
    success: Literal[True]
    data: "ProofData"


class CreateProofAnswer(_CreateProofAnswer, total=False):
    alreadyProven: Literal[True]


class CreateProofAnswer2(TypedDict):
    success: Literal[True]
    data: "ProofStatus"


class _CreateProofsBodyItemsItem(TypedDict):
    hash: str


class CreateProofsBodyItemsItem(_CreateProofsBodyItemsItem, total=False):
    fileName: str
    fileSize: int
    mimeType: str
    metadata: Optional[Dict[str, Any]]
    hashScheme: Literal["sha256-plain-v1", "hmac-sha256-nonce-v2", "hmac-sha256-nonce-v3"]


class CreateProofsBody(TypedDict):
    workspace: str
    items: List["CreateProofsBodyItemsItem"]


class CreateProofsAnswer(TypedDict):
    success: Literal[True]
    data: List["BatchResult"]


class CreateProofsAnswer2(TypedDict):
    success: Literal[True]
    data: List["QueuedBatchResult"]


class LookUpProofsBody(TypedDict):
    workspace: str
    hashes: List[str]


class LookUpProofsAnswer(TypedDict):
    success: Literal[True]
    data: List["KnownHash"]


class GetProofAnswer(TypedDict):
    success: Literal[True]
    data: "ProofStatus"


class ListWorkspacesAnswer(TypedDict):
    success: Literal[True]
    data: List["Workspace"]


class _UploadDocumentFields(TypedDict):
    workspace: str


class UploadDocumentFields(_UploadDocumentFields, total=False):
    description: str
    metadata: Dict[str, Any]
    agentClassification: Dict[str, Any]


class _UploadDocumentAnswer(TypedDict):
    success: Literal[True]
    data: "Document"


class UploadDocumentAnswer(_UploadDocumentAnswer, total=False):
    alreadyProven: Literal[True]


class ListDocumentsAnswer(TypedDict):
    success: Literal[True]
    data: List["Document"]
    meta: "PageMeta"


class UploadRevisionFields(TypedDict, total=False):
    agentClassification: Dict[str, Any]


class _UploadRevisionAnswer(TypedDict):
    success: Literal[True]
    data: "Document"


class UploadRevisionAnswer(_UploadRevisionAnswer, total=False):
    alreadyProven: Literal[True]


class _GetDocumentAnswer(TypedDict):
    success: Literal[True]
    data: "Document"


class GetDocumentAnswer(_GetDocumentAnswer, total=False):
    alreadyProven: Literal[True]


class ListDocumentVersionsAnswer(TypedDict):
    success: Literal[True]
    data: List["Document"]


class ListCertificatesAnswer(TypedDict):
    success: Literal[True]
    data: List["Certificate"]


class CreateLinkBody(TypedDict, total=False):
    showFileName: Optional[bool]
    allowIndexing: Optional[bool]
    expiresAt: Optional[str]


class CreateLinkAnswer(TypedDict):
    success: Literal[True]
    data: "NewLink"


class ListLinksAnswer(TypedDict):
    success: Literal[True]
    data: List["Link"]


class WithdrawLinkAnswerData(TypedDict):
    id: str


class WithdrawLinkAnswer(TypedDict):
    success: Literal[True]
    data: "WithdrawLinkAnswerData"


class GetProofInclusionAnswerDataEvent(TypedDict):
    v: Literal[1]
    eventId: str
    organisationId: str
    stream: str
    version: int
    type: Literal["Anchored"]
    schema: int
    recordedAt: str
    dataHash: str
    metaHash: str


class GetProofInclusionAnswerData(TypedDict):
    event: "GetProofInclusionAnswerDataEvent"
    leafHash: str
    leafIndex: int
    treeSize: int
    rootHash: str
    hashes: List[str]
    checkpoint: str
    logKeys: List[str]


class GetProofInclusionAnswer(TypedDict):
    success: Literal[True]
    data: "GetProofInclusionAnswerData"


class GetProofTimestampAnswerDataEvent(TypedDict):
    v: Literal[1]
    eventId: str
    organisationId: str
    stream: str
    version: int
    type: Literal["Anchored"]
    schema: int
    recordedAt: str
    dataHash: str
    metaHash: str


class GetProofTimestampAnswerData(TypedDict):
    event: "GetProofTimestampAnswerDataEvent"
    leafHash: str
    leafIndex: int
    treeSize: int
    rootHash: str
    hashes: List[str]
    checkpointText: str
    time: str
    authority: str
    token: str


class GetProofTimestampAnswer(TypedDict):
    success: Literal[True]
    data: "GetProofTimestampAnswerData"


class _RecordAgentRunAnswer(TypedDict):
    success: Literal[True]
    data: "RecordedAgentRun"


class RecordAgentRunAnswer(_RecordAgentRunAnswer, total=False):
    alreadyRecorded: Literal[True]


class ListAgentRunsAnswer(TypedDict):
    success: Literal[True]
    data: List["AgentRun"]
    meta: "CountedPageMeta"


class GetAgentRunAnswer(TypedDict):
    success: Literal[True]
    data: "WholeAgentRun"


class GetAgentDecisionProofAnswer(TypedDict):
    success: Literal[True]
    data: "DecisionProof"


class ListAgentDecisionsAnswer(TypedDict):
    success: Literal[True]
    data: List["DecisionOfRun"]
    meta: "CountedPageMeta"


class ListWebhooksAnswer(TypedDict):
    success: Literal[True]
    data: List["WebhookEndpoint"]


class _CreateWebhookBody(TypedDict):
    url: str
    events: List["WebhookEventKind"]


class CreateWebhookBody(_CreateWebhookBody, total=False):
    description: Optional[str]


class CreateWebhookAnswer(TypedDict):
    success: Literal[True]
    data: "RegisteredWebhookEndpoint"


class ChangeWebhookBody(TypedDict, total=False):
    url: Optional[str]
    events: Optional[List["WebhookEventKind"]]
    description: Optional[str]
    status: Optional[Literal["active", "disabled"]]


class ChangeWebhookAnswer(TypedDict):
    success: Literal[True]
    data: "WebhookEndpoint"


class DeleteWebhookAnswerData(TypedDict):
    id: str


class DeleteWebhookAnswer(TypedDict):
    success: Literal[True]
    data: "DeleteWebhookAnswerData"


class RotateWebhookSecretAnswer(TypedDict):
    success: Literal[True]
    data: "RotatedWebhookEndpoint"


class TestWebhookAnswerData(TypedDict):
    delivered: bool
    status: Optional[int]
    durationMs: int
    error: Optional[str]


class TestWebhookAnswer(TypedDict):
    success: Literal[True]
    data: "TestWebhookAnswerData"


class ListWebhookDeliveriesAnswer(TypedDict):
    success: Literal[True]
    data: List["Delivery"]
    meta: "PageMeta"


class RetryWebhookDeliveryAnswer(TypedDict):
    success: Literal[True]
    data: "Delivery"


class RetryFailedWebhookDeliveriesBody(TypedDict):
    since: str


class RetryFailedWebhookDeliveriesAnswerData(TypedDict):
    retried: int
    remaining: int


class RetryFailedWebhookDeliveriesAnswer(TypedDict):
    success: Literal[True]
    data: "RetryFailedWebhookDeliveriesAnswerData"


class ListApiKeysAnswer(TypedDict):
    success: Literal[True]
    data: List["ApiKey"]
    meta: "PageMeta"


class _CreateApiKeyBody(TypedDict):
    scopes: List["Scope"]


class CreateApiKeyBody(_CreateApiKeyBody, total=False):
    name: Optional[str]
    agent: Optional[bool]
    expiresAt: Optional[str]
    requestsPerMinute: Optional[int]
    requestsPerDay: Optional[int]


class CreateApiKeyAnswer(TypedDict):
    success: Literal[True]
    data: "IssuedApiKey"


class RevokeApiKeyAnswerData(TypedDict):
    id: str


class RevokeApiKeyAnswer(TypedDict):
    success: Literal[True]
    data: "RevokeApiKeyAnswerData"


class GetQuickstartAnswer(TypedDict):
    success: Literal[True]
    data: "Quickstart"


GetOpenApiAnswer = Dict[str, Any]


class ListIssuerKeysAnswer(TypedDict):
    success: Literal[True]
    data: List["IssuerKey"]


class VerifyTransactionAnswer(TypedDict):
    success: Literal[True]
    data: "Verification"


class ListLogCheckpointsAnswer(TypedDict):
    success: Literal[True]
    data: List["LogCheckpoint"]
    meta: "PageMeta"


class ListLogVerifiersAnswerDataVerifiersItemEvent(TypedDict):
    v: Literal[1]
    eventId: str
    organisationId: None
    stream: Literal["published-verifier"]
    version: int
    type: Literal["VerifierPublished"]
    schema: int
    recordedAt: str
    dataHash: str
    metaHash: str


class ListLogVerifiersAnswerDataVerifiersItemInclusion(TypedDict):
    leafHash: str
    leafIndex: int
    treeSize: int
    rootHash: str
    hashes: List[str]
    checkpoint: str
    logKeys: List[str]


class ListLogVerifiersAnswerDataVerifiersItem(TypedDict):
    sha256: str
    leafIndex: int
    event: "ListLogVerifiersAnswerDataVerifiersItemEvent"
    inclusion: Optional["ListLogVerifiersAnswerDataVerifiersItemInclusion"]


class ListLogVerifiersAnswerData(TypedDict):
    verifiers: List["ListLogVerifiersAnswerDataVerifiersItem"]


class ListLogVerifiersAnswer(TypedDict):
    success: Literal[True]
    data: "ListLogVerifiersAnswerData"


class GetLogLeafAnswerData(TypedDict):
    leafHash: str
    leafIndex: int
    treeSize: int
    rootHash: str
    hashes: List[str]
    checkpoint: str
    logKeys: List[str]


class GetLogLeafAnswer(TypedDict):
    success: Literal[True]
    data: "GetLogLeafAnswerData"


class GetLogProofAnswerData(TypedDict):
    leafHash: str
    leafIndex: int
    treeSize: int
    rootHash: str
    hashes: List[str]
    checkpoint: str
    logKeys: List[str]


class GetLogProofAnswer(TypedDict):
    success: Literal[True]
    data: "GetLogProofAnswerData"


class GetLogCertificateAnswerDataEvent(TypedDict):
    v: Literal[1]
    eventId: str
    organisationId: None
    stream: str
    version: int
    schema: int
    recordedAt: str
    dataHash: str
    metaHash: str
    type: Literal["CertificateRecorded"]


class GetLogCertificateAnswerData(TypedDict):
    event: "GetLogCertificateAnswerDataEvent"
    leafHash: str
    leafIndex: int
    treeSize: int
    rootHash: str
    hashes: List[str]
    checkpoint: str
    logKeys: List[str]


class GetLogCertificateAnswer(TypedDict):
    success: Literal[True]
    data: "GetLogCertificateAnswerData"


class GetHealthAnswer(TypedDict):
    success: Literal[True]


class _GetReadinessAnswer(TypedDict):
    success: Literal[True]


class GetReadinessAnswer(_GetReadinessAnswer, total=False):
    degraded: List[str]


class DocumentCreatedEvent(TypedDict):
    type: Literal["document.created"]
    timestamp: str
    data: "WebhookDocument"


class UploadCompletedEvent(TypedDict):
    type: Literal["upload.completed"]
    timestamp: str
    data: "WebhookDocument"


class UploadFailedEvent(TypedDict):
    type: Literal["upload.failed"]
    timestamp: str
    data: "WebhookFailedDocument"


class CertificateGeneratedEvent(TypedDict):
    type: Literal["certificate.generated"]
    timestamp: str
    data: "WebhookProof"


class WorkspaceCreatedEvent(TypedDict):
    type: Literal["workspace.created"]
    timestamp: str
    data: "Workspace"


class ProofCompletedEvent(TypedDict):
    type: Literal["proof.completed"]
    timestamp: str
    data: "WebhookProof"


class ProofFailedEvent(TypedDict):
    type: Literal["proof.failed"]
    timestamp: str
    data: "WebhookFailedProof"


class ProofAttestedEvent(TypedDict):
    type: Literal["proof.attested"]
    timestamp: str
    data: "WebhookProof"


class RevisionCreatedEvent(TypedDict):
    type: Literal["revision.created"]
    timestamp: str
    data: "WebhookDocument"


class AgentRunRecordedEvent(TypedDict):
    type: Literal["agent.run.recorded"]
    timestamp: str
    data: "WebhookAgentRun"


class WebhookTestEvent(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    data: "WebhookTest"


WebhookEvent = Union["DocumentCreatedEvent", "UploadCompletedEvent", "UploadFailedEvent", "CertificateGeneratedEvent", "WorkspaceCreatedEvent", "ProofCompletedEvent", "ProofFailedEvent", "ProofAttestedEvent", "RevisionCreatedEvent", "AgentRunRecordedEvent", "WebhookTestEvent"]
