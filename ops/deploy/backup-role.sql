-- A role that can make base backups, but read and change no table. Its password is as valuable as the
-- whole database: a base backup contains every table. Run this script as a superuser, or since
-- PostgreSQL 16 as a role with CREATEROLE and REPLICATION, in any database of the server:
--
--   PGOPTIONS='-c proofmark.role=proofmark_backup' \
--     psql "$ADMIN_URL" -v ON_ERROR_STOP=1 -f ops/deploy/backup-role.sql
--
-- Then give the role a password (`\password proofmark_backup`), and let it in by pg_hba.conf, as the
-- runbook says under Backup. Refuses a role that may do more; changes no role that exists.
DO $$
DECLARE
  backup text := current_setting('proofmark.role');
  role pg_roles;
BEGIN
  SELECT * INTO role FROM pg_roles WHERE rolname = backup;
  IF NOT FOUND THEN
    EXECUTE format('CREATE ROLE %I LOGIN REPLICATION', backup);
    RETURN;
  END IF;
  IF NOT role.rolcanlogin OR NOT role.rolreplication THEN
    RAISE EXCEPTION USING MESSAGE = format(
      '%I exists, but cannot make base backups: choose another name, or run "ALTER ROLE %1$I LOGIN REPLICATION"',
      backup);
  END IF;
  -- Rights to tables, ownership and memberships all appear in these catalogs, of every database.
  IF role.rolsuper OR role.rolcreaterole OR role.rolcreatedb OR role.rolbypassrls
    OR EXISTS (SELECT FROM pg_auth_members WHERE member = role.oid)
    OR EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = role.oid)
  THEN
    RAISE EXCEPTION USING MESSAGE = format(
      '%I exists, and may do more than make base backups: choose another name', backup);
  END IF;
END $$;
