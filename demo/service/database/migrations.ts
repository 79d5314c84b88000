/** What the SQL of the two engines differs in. */
export interface Dialect {
  /** Type of a column that numbers the rows by itself. */
  readonly ownNumber: string;
}

/** A step of the tables' history: a script of statements. Numbered by its place, from 1; never changed once released. */
type Migration = (dialect: Dialect) => string;

/*
 * Whatever opens a door (tokens, request ids, cookies) is stored as its SHA-256 only, passwords as a salted scrypt
 * hash. An application's private key is the one readable secret: verifying an HMAC needs the key itself.
 */

/** Version 0.1.0, from before the tables had a history: a database may have these already. */
const first: Migration = ({ ownNumber }) => `
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
  arrival        ${ownNumber},
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

/**
 * Reports that can be counted and audited. What the report page adds up stands in columns and rows of its own, written
 * once with the event and never changed: copies of the service that write at the same time have nothing to wait for.
 */
const auditableReports: Migration = () => `
ALTER TABLE events ADD COLUMN natural_key TEXT;
ALTER TABLE events ADD COLUMN session_id TEXT;
ALTER TABLE events ADD COLUMN placement_id TEXT;
ALTER TABLE events ADD COLUMN sequence INTEGER;
ALTER TABLE events ADD COLUMN standard TEXT;
ALTER TABLE events ADD COLUMN ad_id TEXT;
ALTER TABLE events ADD COLUMN event_hash TEXT;
ALTER TABLE events ADD COLUMN is_whole INTEGER;
ALTER TABLE events ADD COLUMN happened_at BIGINT;
CREATE UNIQUE INDEX events_by_natural_key ON events (application_id, natural_key);
CREATE INDEX events_by_placement ON events (application_id, placement_id, sequence);

CREATE TABLE summaries (
  application_id         TEXT NOT NULL,
  event_id               TEXT NOT NULL,
  placement_id           TEXT NOT NULL,
  ordinal                INTEGER NOT NULL,
  time_in_view_ms        DOUBLE PRECISION NOT NULL,
  longest_in_view_ms     DOUBLE PRECISION NOT NULL,
  max_percentage_in_view DOUBLE PRECISION NOT NULL,
  measurable_ms          DOUBLE PRECISION NOT NULL,
  unmeasurable_ms        DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (application_id, event_id)
);
CREATE INDEX summaries_by_placement ON summaries (application_id, placement_id, ordinal);

CREATE TABLE summary_verdicts (
  application_id TEXT NOT NULL,
  event_id       TEXT NOT NULL,
  standard       TEXT NOT NULL,
  verdict        TEXT NOT NULL,
  PRIMARY KEY (application_id, event_id, standard)
);

CREATE TABLE summary_reasons (
  application_id TEXT NOT NULL,
  event_id       TEXT NOT NULL,
  reason         TEXT NOT NULL,
  duration_ms    DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (application_id, event_id, reason)
);

CREATE TABLE outboxes (
  application_id       TEXT NOT NULL REFERENCES applications (application_id),
  outbox_id            TEXT NOT NULL,
  revision             BIGINT NOT NULL,
  created              BIGINT NOT NULL,
  accepted             BIGINT NOT NULL,
  duplicate            BIGINT NOT NULL,
  rejected             BIGINT NOT NULL,
  dropped_overflow     BIGINT NOT NULL,
  dropped_too_old      BIGINT NOT NULL,
  dropped_too_large    BIGINT NOT NULL,
  dropped_corrupt      BIGINT NOT NULL,
  dropped_storage_lost BIGINT NOT NULL,
  pending              BIGINT NOT NULL,
  durability           TEXT,
  received_at          BIGINT NOT NULL,
  PRIMARY KEY (application_id, outbox_id)
);

CREATE TABLE serves (
  serve_id       TEXT PRIMARY KEY,
  application_id TEXT NOT NULL,
  ad_surface_id  TEXT NOT NULL,
  ad_id          TEXT NOT NULL,
  served_at      BIGINT NOT NULL
);
CREATE INDEX serves_by_ad ON serves (ad_surface_id, ad_id);

CREATE TABLE rate_limits (
  key_hash TEXT PRIMARY KEY,
  full_at  DOUBLE PRECISION NOT NULL
);
CREATE INDEX rate_limits_by_time ON rate_limits (full_at);
`;

/** Token requests can be repeated: which answer of a session is the newest, and what a connect request has given. */
const repeatableGrants: Migration = () => `
ALTER TABLE player_sessions ADD COLUMN newest_token_hash TEXT;
ALTER TABLE player_sessions ADD COLUMN renewed_at BIGINT;
ALTER TABLE connect_requests ADD COLUMN player_session_id TEXT;
ALTER TABLE connect_requests ADD COLUMN redeemed_at BIGINT;
`;

/** How many presses on an ad were no clicks; in summaries that came before, it is not known, and counts as none. */
const refusedClicks: Migration = () => `
ALTER TABLE summaries ADD COLUMN refused_clicks DOUBLE PRECISION NOT NULL DEFAULT 0;
`;

/** What the player is shown of each session, and the key its tokens are bound to. */
const accountSessions: Migration = () => `
ALTER TABLE player_sessions ADD COLUMN created_at BIGINT;
ALTER TABLE player_sessions ADD COLUMN last_used_at BIGINT;
ALTER TABLE player_sessions ADD COLUMN device TEXT;
ALTER TABLE player_sessions ADD COLUMN key_thumbprint TEXT;
ALTER TABLE web_sessions ADD COLUMN created_at BIGINT;
ALTER TABLE web_sessions ADD COLUMN last_used_at BIGINT;
ALTER TABLE web_sessions ADD COLUMN device TEXT;
CREATE INDEX player_sessions_by_player ON player_sessions (player_id);
CREATE INDEX web_sessions_by_player ON web_sessions (player_id);
`;

/** Who asks, and the codes a player picks from. A request of before has none, so the game has to ask again. */
const numberMatching: Migration = () => `
UPDATE connect_requests SET state = 'cancelled' WHERE state = 'pending';
ALTER TABLE connect_requests ADD COLUMN subject_hash TEXT;
ALTER TABLE connect_requests ADD COLUMN choices TEXT;
ALTER TABLE connect_requests ADD COLUMN device TEXT;
ALTER TABLE connect_requests ADD COLUMN network_hash TEXT;
ALTER TABLE connect_requests ADD COLUMN place TEXT;
CREATE INDEX connect_requests_by_subject ON connect_requests (subject_hash, state);

CREATE TABLE blocked_games (
  player_id      TEXT NOT NULL REFERENCES players (player_id) ON DELETE CASCADE,
  application_id TEXT NOT NULL REFERENCES applications (application_id),
  blocked_at     BIGINT NOT NULL,
  PRIMARY KEY (player_id, application_id)
);

CREATE TABLE familiar_places (
  place_hash TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
`;

/** Connect requests that can be answered in a popup of the game. */
const popupSignIns: Migration = () => `
CREATE TABLE popup_sign_ins (
  connect_request_id TEXT PRIMARY KEY REFERENCES connect_requests (connect_request_id) ON DELETE CASCADE,
  code_challenge     TEXT NOT NULL,
  popup_state        TEXT NOT NULL,
  origin             TEXT NOT NULL,
  code_hash          TEXT UNIQUE,
  code_expires_at    BIGINT,
  player_id          TEXT REFERENCES players (player_id) ON DELETE CASCADE,
  player_session_id  TEXT,
  redeemed_at        BIGINT
);
`;

/** The key a connect request is bound to: its session will be, too. */
const boundConnects: Migration = () => `
ALTER TABLE connect_requests ADD COLUMN key_thumbprint TEXT;
`;

/** What a popup's request has given stands with the request, as what any other has given: one state to end. */
const oneRedemption: Migration = () => `
ALTER TABLE popup_sign_ins DROP COLUMN player_session_id;
ALTER TABLE popup_sign_ins DROP COLUMN redeemed_at;
`;

/** How players sign in to the web app without a password; and what a browser has to sign for it, as its SHA-256. */
const passkeys: Migration = () => `
CREATE TABLE passkeys (
  passkey_id    TEXT PRIMARY KEY,
  credential_id TEXT NOT NULL UNIQUE,
  player_id     TEXT NOT NULL REFERENCES players (player_id) ON DELETE CASCADE,
  public_key    TEXT NOT NULL,
  counter       BIGINT NOT NULL,
  device        TEXT NOT NULL,
  created_at    BIGINT NOT NULL,
  last_used_at  BIGINT
);
CREATE INDEX passkeys_by_player ON passkeys (player_id);

CREATE TABLE passkey_challenges (
  challenge_hash TEXT PRIMARY KEY,
  holder_hash    TEXT NOT NULL,
  expires_at     BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
`;

/**
 * A popup has a name of its own, and what is agreed to in it is a code: the request waits on. One of before goes on by
 * e-mail, or is asked for again.
 */
const popupNames: Migration = () => `
UPDATE connect_requests SET state = 'cancelled' WHERE state = 'approved';
DELETE FROM popup_sign_ins;
ALTER TABLE popup_sign_ins ADD COLUMN popup_id TEXT;
CREATE UNIQUE INDEX popup_sign_ins_by_name ON popup_sign_ins (popup_id);
`;

/** Whose a familiar place is, so that it goes with its player. Of those from before nobody knows. */
const ownedPlaces: Migration = () => `
DELETE FROM familiar_places;
ALTER TABLE familiar_places ADD COLUMN player_id TEXT REFERENCES players (player_id) ON DELETE CASCADE;
`;

const history: readonly Migration[] = [
  first,
  auditableReports,
  repeatableGrants,
  refusedClicks,
  accountSessions,
  numberMatching,
  popupSignIns,
  boundConnects,
  oneRedemption,
  passkeys,
  popupNames,
  ownedPlaces,
];

/** The scripts that bring a database of `version` up to date, each with the version it leads to. 0: an empty one. */
export function migrationsFrom(
  version: number,
  dialect: Dialect,
): { readonly version: number; readonly script: string }[] {
  return history.map((script, index) => ({ version: index + 1, script: script(dialect) })).slice(version);
}
