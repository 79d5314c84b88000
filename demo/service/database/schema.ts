/**
 * The tables. Whatever opens a door (tokens, request ids, cookies) is stored as its SHA-256 only, passwords as a salted
 * scrypt hash. An application's private key is the one readable secret: verifying an HMAC needs the key itself.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS applications (
  application_id  TEXT PRIMARY KEY,
  name            TEXT NOT NULL,
  api_key         TEXT NOT NULL UNIQUE,
  private_key     TEXT NOT NULL,
  allowed_origins TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS application_tokens (
  token_hash     TEXT PRIMARY KEY,
  application_id TEXT NOT NULL REFERENCES applications (application_id),
  origin         TEXT,
  expires_at     BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS nonces (
  application_id TEXT NOT NULL,
  nonce          TEXT NOT NULL,
  expires_at     BIGINT NOT NULL,
  PRIMARY KEY (application_id, nonce)
);
CREATE INDEX IF NOT EXISTS nonces_by_expiry ON nonces (expires_at);

CREATE TABLE IF NOT EXISTS ad_surfaces (
  ad_surface_id  TEXT PRIMARY KEY,
  application_id TEXT NOT NULL REFERENCES applications (application_id),
  name           TEXT NOT NULL,
  width          INTEGER NOT NULL,
  height         INTEGER NOT NULL,
  position       INTEGER NOT NULL,
  serve_count    BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS ads (
  ad_id         TEXT PRIMARY KEY,
  ad_surface_id TEXT NOT NULL REFERENCES ad_surfaces (ad_surface_id),
  creative      TEXT NOT NULL,
  width         INTEGER NOT NULL,
  height        INTEGER NOT NULL,
  click_url     TEXT,
  alt           TEXT,
  position      INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS players (
  player_id     TEXT PRIMARY KEY,
  email         TEXT NOT NULL UNIQUE,
  display_name  TEXT NOT NULL,
  password_hash TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS connect_requests (
  connect_request_id TEXT PRIMARY KEY,
  auth_req_id_hash   TEXT NOT NULL UNIQUE,
  application_id     TEXT NOT NULL REFERENCES applications (application_id),
  player_id          TEXT REFERENCES players (player_id),
  binding_code       TEXT NOT NULL,
  state              TEXT NOT NULL,
  interval_ms        INTEGER NOT NULL,
  created_at         BIGINT NOT NULL,
  expires_at         BIGINT NOT NULL,
  polled_at          BIGINT
);
CREATE INDEX IF NOT EXISTS connect_requests_by_player ON connect_requests (player_id, state);

CREATE TABLE IF NOT EXISTS player_sessions (
  player_session_id TEXT PRIMARY KEY,
  application_id    TEXT NOT NULL REFERENCES applications (application_id),
  player_id         TEXT NOT NULL REFERENCES players (player_id),
  generation        INTEGER NOT NULL,
  expires_at        BIGINT NOT NULL,
  revoked_at        BIGINT
);

CREATE TABLE IF NOT EXISTS access_tokens (
  token_hash        TEXT PRIMARY KEY,
  player_session_id TEXT NOT NULL REFERENCES player_sessions (player_session_id) ON DELETE CASCADE,
  expires_at        BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS refresh_tokens (
  token_hash        TEXT PRIMARY KEY,
  player_session_id TEXT NOT NULL REFERENCES player_sessions (player_session_id) ON DELETE CASCADE,
  generation        INTEGER NOT NULL,
  used_at           BIGINT
);

CREATE TABLE IF NOT EXISTS web_sessions (
  session_hash TEXT PRIMARY KEY,
  player_id    TEXT NOT NULL REFERENCES players (player_id),
  expires_at   BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS events (
  arrival        INTEGER PRIMARY KEY,
  application_id TEXT NOT NULL REFERENCES applications (application_id),
  event_id       TEXT NOT NULL,
  kind           TEXT NOT NULL,
  ad_surface_id  TEXT REFERENCES ad_surfaces (ad_surface_id),
  event          TEXT NOT NULL,
  received_at    BIGINT NOT NULL,
  UNIQUE (application_id, event_id)
);
CREATE INDEX IF NOT EXISTS events_by_surface ON events (ad_surface_id, kind);
`;
