// The tables, version by version. Owns the shape of the database on disk; a version that was released is never edited, a
// change is a new entry at the end.

import type { BareConnection } from './connection';

export interface Migration {
  /** `user_version` after it ran. Versions count up from 1. */
  readonly version: number;
  readonly sql: string;
}

/** Marks a database file as ours (`GATE` in ASCII). */
export const APPLICATION_ID = 0x47415445;

/** What keeps the log append-only. Made again at every start, should someone have dropped them. */
export const LOG_GUARDS = `
CREATE TRIGGER IF NOT EXISTS activity_keeps_entries BEFORE UPDATE ON activity
BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS activity_keeps_all BEFORE DELETE ON activity
BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS activity_keeps_order BEFORE INSERT ON activity WHEN new.seq <= (SELECT coalesce(max(seq), 0) FROM activity)
BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;`;

/** Words of the log. Derived: it can be dropped and filled again. */
export const SEARCH_TABLE = `CREATE VIRTUAL TABLE activity_search USING fts5 (text, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');`;

// Records are JSON in `body`; what is looked up, compared or counted stands beside it in columns of its own. `seq` keeps
// the order of arrival, which ids do not when the clock is set back. History is written far more often than it is looked
// through, so what has few values is not indexed one by one: the `_filter` indexes are narrow copies in order of arrival.
const VERSION_1 = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE groups (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')) STRICT;

CREATE TABLE rules (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object' AND json_extract(body, '$.action') IN ('allow', 'deny', 'require'))
) STRICT;
CREATE INDEX rules_group ON rules (group_id);
CREATE TABLE rule_hits (
  rule_id TEXT PRIMARY KEY REFERENCES rules (id) ON DELETE CASCADE,
  hits INTEGER NOT NULL,
  last_hit_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')) STRICT;
CREATE TABLE tickets (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')
) STRICT;
CREATE INDEX tickets_project ON tickets (project_id);

CREATE TABLE sessions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  external_id TEXT,
  project_id TEXT,
  ticket_id TEXT,
  parent_id TEXT,
  ended_at TEXT,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')
) STRICT;
CREATE INDEX sessions_ended ON sessions (ended_at);
CREATE INDEX sessions_external ON sessions (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX sessions_project ON sessions (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX sessions_ticket ON sessions (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX sessions_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE session_usage (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  turns REAL NOT NULL,
  tool_calls REAL NOT NULL,
  output_tokens REAL NOT NULL,
  cost_usd REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  call_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'allowed', 'denied', 'blocked', 'staged')),
  created_at TEXT NOT NULL,
  decision TEXT CHECK (decision IS NULL OR json_valid(decision)),
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object'),
  CHECK ((status = 'pending') = (decision IS NULL)),
  UNIQUE (session_id, call_id)
) STRICT;
CREATE INDEX requests_pending ON requests (status) WHERE status = 'pending';
CREATE INDEX requests_filter ON requests (seq, status, tool, agent, created_at);

CREATE TABLE grants (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  ticket_id TEXT REFERENCES tickets (id) ON DELETE CASCADE,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object' AND json_extract(body, '$.action') IN ('allow', 'deny'))
) STRICT;
CREATE INDEX grants_session ON grants (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX grants_ticket ON grants (ticket_id) WHERE ticket_id IS NOT NULL;
CREATE INDEX grants_project ON grants (project_id) WHERE project_id IS NOT NULL;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'released', 'rejected')),
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')
) STRICT;
CREATE INDEX outbox_state ON outbox (state);

CREATE TABLE jobs (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')) STRICT;
CREATE TABLE job_runs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  started_at TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')
) STRICT;
CREATE INDEX job_runs_job ON job_runs (job_id, started_at);

CREATE TABLE mail (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  delivered_at TEXT,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')
) STRICT;
CREATE INDEX mail_waiting ON mail (session_id) WHERE delivered_at IS NULL;
CREATE TABLE steering (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  delivered_at TEXT,
  body TEXT NOT NULL CHECK (json_valid(body) AND json_type(body) = 'object')
) STRICT;
CREATE INDEX steering_waiting ON steering (session_id) WHERE delivered_at IS NULL;

CREATE TABLE activity (
  seq INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  clock INTEGER NOT NULL,
  type TEXT NOT NULL,
  actor TEXT NOT NULL,
  session_id TEXT,
  request_id TEXT,
  agent TEXT,
  cause TEXT,
  summary TEXT NOT NULL,
  data TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX activity_filter ON activity (seq, type, agent, cause);
CREATE INDEX activity_session ON activity (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX activity_request ON activity (request_id) WHERE request_id IS NOT NULL;
CREATE TABLE activity_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  clock INTEGER NOT NULL,
  regression_ms INTEGER NOT NULL,
  searchable INTEGER NOT NULL
) STRICT;
INSERT INTO activity_head VALUES (1, 0, '${'0'.repeat(64)}', 0, 0, 0);
${LOG_GUARDS}
${SEARCH_TABLE}
`;

export const MIGRATIONS: readonly Migration[] = [{ version: 1, sql: VERSION_1 }];

/** Tables that a database of the last version has; one that lacks any is damaged. */
export const tablesOf = (migrations: readonly Migration[]): readonly string[] =>
  migrations.flatMap((migration) => [...migration.sql.matchAll(/^CREATE TABLE (\w+)/gm)].map((match) => match[1] ?? ''));

export type MigrationOutcome = 'current' | 'migrated' | 'newer' | 'foreign';

/**
 * Brings the database to the last version in one transaction; on any error it is left as it was and the error is thrown.
 * `newer`: a later Gatehouse wrote it. `foreign`: it is no database of ours. Both leave it untouched.
 */
export function migrate(bare: BareConnection, migrations: readonly Migration[] = MIGRATIONS): MigrationOutcome {
  const version = Number(bare.values('user_version', 'pragma_user_version')[0]);
  const last = migrations.at(-1)?.version ?? 0;
  const isOurs = bare.values('application_id', 'pragma_application_id')[0] === APPLICATION_ID;
  const isEmpty = version === 0 && bare.values('name', 'sqlite_schema').length === 0;
  if (!isOurs && !isEmpty) return 'foreign';
  if (version > last) return 'newer';
  if (version === last) return 'current';
  bare.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of migrations) {
      if (migration.version > version) bare.exec(migration.sql);
    }
    bare.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${last}; COMMIT`);
  } catch (error) {
    // SQLite ends the transaction itself when the disk refuses.
    if (bare.isInTransaction()) bare.exec('ROLLBACK');
    throw error;
  }
  return 'migrated';
}
