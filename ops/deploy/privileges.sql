-- A role for the service that can append to the log, but neither change nor delete an event. Run
-- this script as the owner of the tables, after their creation and after each migration. The owner
-- need not be a superuser. If the owner may not create roles, an error says what a superuser must
-- run once. An owner with NOINHERIT must also own the schema on PostgreSQL 15: a superuser runs
-- `ALTER SCHEMA public OWNER TO …` before the first migration.
--
--   PGOPTIONS='-c proofmark.role=proofmark_service' \
--     psql "$OWNER_URL" -v ON_ERROR_STOP=1 -f ops/deploy/privileges.sql
--
-- Then give the role a password (`\password proofmark_service`), and the service its URL. Only the
-- owner can migrate: first start one process, or run any `ops` command, with the owner's URL.
DO $$
DECLARE
  service text := current_setting('proofmark.role');
  appended text[] := ARRAY['events', 'published_checkpoints', 'checkpoint_cosignatures'];
  -- Tables without events: the service may change all of their rows.
  state text[] := ARRAY['data_keys', 'checkpoints', 'webhook_endpoints', 'webhook_deliveries',
    'webhook_unattested_proofs', 'request_counts', 'key_uses', 'closed_organisations',
    'console_sessions', 'console_challenges', 'kysely_migration', 'kysely_migration_lock'];
  -- Since PostgreSQL 16, a member of a role needs the SET option to give it tables.
  has_options boolean := current_setting('server_version_num')::int >= 160000;
  needed text := CASE WHEN has_options THEN 'SET' ELSE 'MEMBER' END;
  with_option text := CASE WHEN has_options THEN ' WITH SET TRUE' ELSE '' END;
  other record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service) THEN
    BEGIN
      EXECUTE format('CREATE ROLE %I LOGIN', service);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE EXCEPTION USING MESSAGE = format(
        '%I may not create roles: run "CREATE ROLE %I LOGIN; GRANT %2$I TO %1$I" as a superuser, then this again',
        current_user, service);
    END;
  END IF;
  -- Only a member of a role can give it tables. A superuser is a member of every role.
  IF NOT pg_has_role(service, needed) THEN
    BEGIN
      EXECUTE format('GRANT %I TO %I%s', service, current_user, with_option);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE EXCEPTION USING MESSAGE = format(
        '%I cannot give tables to %I: run "GRANT %2$I TO %1$I%3$s" as a superuser, then this again',
        current_user, service, with_option);
    END;
  END IF;
  -- The service owns its read models: it creates, swaps and drops their tables. Tables that it owns
  -- already are left out: an owner that does not inherit its rights may not alter them.
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA public TO %I', service);
  EXECUTE format('GRANT SELECT, INSERT ON %s TO %I', array_to_string(appended, ', '), service);
  EXECUTE format('GRANT SELECT, UPDATE ON log_head TO %I', service);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', array_to_string(state, ', '), service);
  -- An erasure vacuums what it deleted from. Before PostgreSQL 17 only the owner can.
  IF current_setting('server_version_num')::int >= 170000 THEN
    EXECUTE format('GRANT MAINTAIN ON %s TO %I', array_to_string(state, ', '), service);
  END IF;
  FOR other IN
    SELECT c.relname AS name, CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
      AND c.relname <> ALL (appended || state || 'log_head'::text)
      AND pg_get_userbyid(c.relowner) <> service
  LOOP
    EXECUTE format('ALTER %s %I OWNER TO %I', other.kind, other.name, service);
  END LOOP;
END $$;
