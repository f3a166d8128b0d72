-- A role for the service that can append to the log, but not change it. Run as the owner of the tables, when
-- they are there: psql "$OWNER_URL" -v role=proofmark_service -f ops/deploy/privileges.sql
-- Give the role a password (\password proofmark_service), and the service its URL. Run it again after an upgrade
-- that migrated: a migration is the owner's to do.
\set ON_ERROR_STOP on
SELECT format('CREATE ROLE %I LOGIN', :'role')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') \gexec

BEGIN;
-- Read models are the service's own: it makes and drops their tables.
GRANT USAGE, CREATE ON SCHEMA public TO :"role";
GRANT SELECT, INSERT ON events, published_checkpoints TO :"role";
GRANT SELECT, UPDATE ON log_head TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON
  data_keys, checkpoints, webhook_endpoints, webhook_deliveries, request_counts, key_uses,
  closed_organisations TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON kysely_migration, kysely_migration_lock TO :"role";

SELECT format('ALTER %s %I OWNER TO %I', CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.relname, :'role')
FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') AND c.relname NOT IN (
  'events', 'published_checkpoints', 'log_head', 'data_keys', 'checkpoints', 'webhook_endpoints',
  'webhook_deliveries', 'request_counts', 'key_uses', 'closed_organisations', 'kysely_migration',
  'kysely_migration_lock')
\gexec
COMMIT;
