import { chromium, type Browser } from 'playwright-core';

/** A browser that can be started: its binary, and what its process needs besides the caller's environment. */
export interface ChromiumBinary {
  /** Where it came from, for messages. */
  readonly origin: string;
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The same software renderer, colours and pixels on every machine, and a browser that talks to nobody by itself. */
const FLAGS = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--font-render-hinting=none',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  '--mute-audio',
  // A 2D canvas drawn by a GPU that is software takes ten times as long to read as one drawn without.
  '--disable-accelerated-2d-canvas',
];

/** Starts the browser headless, with one set of flags for all tests. Rejects if it does not come up. */
export function startChromium(binary: ChromiumBinary, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: binary.executablePath,
    env: { ...environment(), ...binary.env },
    headless: true,
    args: [...FLAGS, ...flags],
    timeout: 30_000,
  });
}

function environment(): Record<string, string> {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}
