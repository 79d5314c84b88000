import { FrameSnapshot } from '../measure/FrameSnapshot.js';
import type { DrawRecord } from './DrawRecord.js';
import type { KnownOwners } from './KnownOwners.js';
import { type QuadPictures, RecordReader } from './RecordReader.js';

/** A frame that is read from its vertices with whose they are. */
export class NamedFrame {
  readonly snapshot = new FrameSnapshot();
  readonly reader: RecordReader;
  /** Per ad: PLAIN when all that lies over it is somebody's. */
  verdicts = new Uint8Array(0);

  constructor(record: DrawRecord, pictures: QuadPictures, owners: KnownOwners) {
    this.reader = new RecordReader(record, pictures, this.snapshot, owners);
  }

  withRoomFor(ads: number): this {
    if (this.verdicts.length < ads) this.verdicts = new Uint8Array(2 * ads);
    return this;
  }
}
