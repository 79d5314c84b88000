import { FrameSnapshot } from '../../measure/FrameSnapshot.js';
import type { DrawRecord } from './DrawRecord.js';
import type { KnownOwners } from './KnownOwners.js';
import { type QuadPictures, RecordReader } from './RecordReader.js';

/** A frame that is read from its vertices, with the owner of each quad. */
export class NamedFrame {
  readonly snapshot = new FrameSnapshot();
  readonly reader: RecordReader;
  /** Per ad: PLAIN when everything over it has a known owner. */
  verdicts = new Uint8Array(0);

  constructor(record: DrawRecord, pictures: QuadPictures, owners: KnownOwners) {
    this.reader = new RecordReader(record, pictures, this.snapshot, owners);
  }

  withRoomFor(ads: number): this {
    if (this.verdicts.length < ads) this.verdicts = new Uint8Array(2 * ads);
    return this;
  }
}
