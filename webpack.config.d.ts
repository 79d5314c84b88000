import type { Configuration } from 'webpack';

/** A configuration that always says its name and where it writes. */
export type NamedConfiguration = Configuration & { name: string; output: { path: string } };

/** `umd`, `umd-debug`, `demo`, in this order. */
declare const configurations: [NamedConfiguration, NamedConfiguration, NamedConfiguration];
export default configurations;

/** The demo's game on the Phaser of a package; default `phaser`. */
export function demoOn(phaserPackage?: string): NamedConfiguration;
