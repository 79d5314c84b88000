import type { AccountData } from '../accounts/AccountData.js';
import type { AccountLimits } from '../accounts/AccountLimits.js';
import type { AccountSessions } from '../accounts/AccountSessions.js';
import type { BlockedGames } from '../accounts/BlockedGames.js';
import type { ConnectRequests } from '../accounts/ConnectRequests.js';
import type { Passkeys } from '../accounts/Passkeys.js';
import type { PlayerNotices } from '../accounts/PlayerNotices.js';
import type { Players } from '../accounts/Players.js';
import type { PlayerSessions } from '../accounts/PlayerSessions.js';
import type { PopupSignIns } from '../accounts/PopupSignIns.js';
import type { ServiceContext } from '../http/ServiceEnv.js';
import type { Random } from '../secrets.js';
import type { WebSessions } from './WebSessions.js';

/** What the service's own pages work with. */
export interface WebAppParts {
  readonly players: Players;
  readonly connectRequests: ConnectRequests;
  readonly blockedGames: BlockedGames;
  readonly popupSignIns: PopupSignIns;
  readonly passkeys: Passkeys;
  readonly sessions: PlayerSessions;
  readonly webSessions: WebSessions;
  readonly accountSessions: AccountSessions;
  readonly accountData: AccountData;
  readonly notices: PlayerNotices;
  readonly limits: AccountLimits;
  readonly now: () => number;
  readonly random: Random;
  /** Where the web app is, given the request that asks. */
  readonly origin: (c: ServiceContext) => string;
  /** Folder with the style sheet and the scripts. */
  readonly assets: string;
}
