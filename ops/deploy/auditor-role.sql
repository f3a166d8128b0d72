-- A role for auditors: it can read the log, and change nothing. It can neither read the read models,
-- which are in clear, nor the wrapped keys of organisations. So it reads no confidential field. Run
-- this script as the owner of the tables, after the first migration. If the owner may not create
-- roles, an error says what a superuser must run once.
--
--   PGOPTIONS='-c proofmark.role=proofmark_auditor' \
--     psql "$OWNER_URL" -v ON_ERROR_STOP=1 -f ops/deploy/auditor-role.sql
--
-- Then give the role a password (`\password proofmark_auditor`). On a standby it is there too.
DO $$
DECLARE
  auditor text := current_setting('proofmark.role');
  audited text[] := ARRAY['events', 'log_head', 'published_checkpoints', 'checkpoints',
    'checkpoint_cosignatures', 'closed_organisations', 'webhook_endpoints', 'webhook_deliveries',
    'webhook_unattested_proofs', 'key_uses'];
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = auditor) THEN
    BEGIN
      EXECUTE format('CREATE ROLE %I LOGIN', auditor);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE EXCEPTION USING MESSAGE = format(
        '%I may not create roles: run "CREATE ROLE %I LOGIN" as a superuser, then this again',
        current_user, auditor);
    END;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', auditor);
  EXECUTE format('GRANT SELECT ON %s TO %I', array_to_string(audited, ', '), auditor);
  EXECUTE format('GRANT SELECT (organisation_id, purpose) ON data_keys TO %I', auditor);
  EXECUTE format(
    'GRANT SELECT (person_id, started_at, expires_at) ON console_sessions TO %I', auditor);
END $$;
