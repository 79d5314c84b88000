/** How a test ad is answered: with an ad, or in one of the ways ads fail. */
export const TEST_ANSWERS = [
  'ad',
  /** The service has no ad. */
  'noFill',
  /** The service is down (503). */
  'error',
  /** The service asks for a pause of a minute (429). */
  'rateLimited',
  /** The service does not know the surface. */
  'unknownSurface',
  /** The device is offline. */
  'offline',
  /** The service answers after three seconds. */
  'slow',
  /** The service never answers. */
  'silent',
  /** A blocker, or no network, keeps the image away. */
  'blockedImage',
  /** The image is not there (404). */
  'missingImage',
  /** The image arrives after three seconds. */
  'slowImage',
  /** The image never arrives. */
  'silentImage',
  /** The file is a web page. */
  'wrongImage',
  /** The file ends in the middle. */
  'brokenImage',
  /** The image claims to be 20000 px wide. */
  'hugeImage',
  /** The image host does not allow its use. */
  'noCors',
  /** The address of the image is not valid. */
  'badUrl',
  /** The click-through address may not be opened. */
  'badClickUrl',
  /** The ad may be shown for one second only. */
  'expiring',
] as const;

export type TestAnswer = (typeof TEST_ANSWERS)[number];
