import type { Configuration } from 'webpack';

/** A configuration that always says its name and where it writes. */
export type NamedConfiguration = Configuration & { name: string; output: { path: string } };

/** One page of one TypeScript entry, with the prebuilt libraries it imports as script tags. All paths are absolute. */
export interface PageOptions {
  name: string;
  entry: string;
  output: string;
  template?: string;
  phaserPackage?: string;
}

export function pageConfig(page: PageOptions): NamedConfiguration;

/** `umd`, `umd-debug`, `demo`, in this order. */
declare const configurations: [NamedConfiguration, NamedConfiguration, NamedConfiguration];
export default configurations;
