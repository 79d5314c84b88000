import { flagOf, isConsentString, readSections, readSignals } from '../consentRules.js';
import type { CmpWord } from './CmpListener.js';
import { fieldOf } from './CmpPort.js';

/** What an event of TCF v2 says (`TCData`); null for one without a word on consent. */
export function readTcData(value: unknown): CmpWord | null {
  const gdprApplies = flagOf(fieldOf(value, 'gdprApplies'));
  const tcString = fieldOf(value, 'tcString');
  const eventStatus = fieldOf(value, 'eventStatus');
  if (gdprApplies === false) return { isDecided: true, signals: { gdprApplies } };
  const isDecided = eventStatus === 'tcloaded' || eventStatus === 'useractioncomplete';
  if (!isDecided && eventStatus !== 'cmpuishown') return null;
  const applies = gdprApplies === undefined ? {} : { gdprApplies };
  // While the questions are shown, a string is the earlier decision, or nothing that the player has said.
  const said = isDecided ? readSignals({ tcString, addtlConsent: fieldOf(value, 'addtlConsent') }) : null;
  return { isDecided, signals: { ...applies, ...said } };
}

/** What an event of GPP 1.1 says by its `pingData`; null for one without. */
export function readGppEvent(value: unknown): CmpWord | null {
  const ping = fieldOf(value, 'pingData');
  const status = fieldOf(ping, 'signalStatus');
  // A manager that will show nothing here is not waited for.
  if (status === 'not ready' && fieldOf(ping, 'cmpDisplayStatus') !== 'disabled')
    return { isDecided: false, signals: {} };
  if (status !== 'ready') return null;
  const gppString = fieldOf(ping, 'gppString');
  const applicable = fieldOf(ping, 'applicableSections');
  const gppSections = readSections(applicable);
  // A section that applies but cannot be read may be a no.
  if ((gppSections !== null || !isNone(applicable)) && !isConsentString(gppString))
    return { isDecided: false, signals: {} };
  return { isDecided: true, signals: { ...readSignals({ gppString, gppSections }) } };
}

/** Whether no section applies: there is no list, or one with at most -1 or 0 in it. */
function isNone(sections: unknown): boolean {
  if (sections === undefined || sections === null) return true;
  return Array.isArray(sections) && (sections as unknown[]).every((section) => section === -1 || section === 0);
}
