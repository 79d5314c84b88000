export interface EncodedFrame {
  readonly bytes: Uint8Array;
  readonly timeMs: number;
  readonly isKey: boolean;
}

export interface VideoTrack {
  readonly width: number;
  readonly height: number;
  /** As Matroska names it. */
  readonly codec: 'V_VP8' | 'V_VP9';
  readonly durationMs: number;
}

/** Element ids of WebM (a subset of Matroska, RFC 9559) in EBML (RFC 8794). */
const Id = {
  ebml: 0x1a45dfa3, ebmlVersion: 0x4286, ebmlReadVersion: 0x42f7, maxIdLength: 0x42f2, maxSizeLength: 0x42f3,
  docType: 0x4282, docTypeVersion: 0x4287, docTypeReadVersion: 0x4285,
  segment: 0x18538067, info: 0x1549a966, timestampScale: 0x2ad7b1, duration: 0x4489, muxer: 0x4d80, writer: 0x5741,
  tracks: 0x1654ae6b, track: 0xae, trackNumber: 0xd7, trackUid: 0x73c5, trackType: 0x83, codec: 0x86,
  video: 0xe0, width: 0xb0, height: 0xba, cluster: 0x1f43b675, timestamp: 0xe7, simpleBlock: 0xa3,
} as const; // prettier-ignore

const NANOSECONDS_PER_MS = 1_000_000;
const VIDEO = 1;

/** A WebM file of one video track. Its length stands in its header, where players look first. */
export function webmOf(frames: readonly EncodedFrame[], { width, height, codec, durationMs }: VideoTrack): Buffer {
  const header = element(Id.ebml, [
    number(Id.ebmlVersion, 1),
    number(Id.ebmlReadVersion, 1),
    number(Id.maxIdLength, 4),
    number(Id.maxSizeLength, 8),
    text(Id.docType, 'webm'),
    number(Id.docTypeVersion, 2),
    number(Id.docTypeReadVersion, 2),
  ]);
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(durationMs);
  const info = element(Id.info, [
    number(Id.timestampScale, NANOSECONDS_PER_MS),
    element(Id.duration, [duration]),
    text(Id.muxer, 'phaser-inview'),
    text(Id.writer, 'phaser-inview'),
  ]);
  const track = element(Id.track, [
    number(Id.trackNumber, 1),
    number(Id.trackUid, 1),
    number(Id.trackType, VIDEO),
    text(Id.codec, codec),
    element(Id.video, [number(Id.width, width), number(Id.height, height)]),
  ]);
  const clusters = groupsOf(frames).map((group) =>
    element(Id.cluster, [number(Id.timestamp, group[0]!.timeMs), ...group.map((frame) => blockOf(frame, group[0]!))]),
  );
  return Buffer.concat([header, element(Id.segment, [info, element(Id.tracks, [track]), ...clusters])]);
}

/** Each begins with a frame that can be decoded alone. */
function groupsOf(frames: readonly EncodedFrame[]): EncodedFrame[][] {
  const groups: EncodedFrame[][] = [];
  for (const frame of frames) {
    if (frame.isKey || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(frame);
  }
  return groups;
}

function blockOf({ bytes, timeMs, isKey }: EncodedFrame, first: EncodedFrame): Buffer {
  const head = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]);
  head.writeInt16BE(timeMs - first.timeMs, 1);
  return element(Id.simpleBlock, [head, Buffer.from(bytes)]);
}

function element(id: number, content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([bytesOf(id), size, body]);
}

function number(id: number, value: number): Buffer {
  return element(id, [bytesOf(value)]);
}

function text(id: number, value: string): Buffer {
  return element(id, [Buffer.from(value, 'latin1')]);
}

/** Big-endian, without leading zeros. */
function bytesOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes.subarray(Math.min(3, Math.clz32(value) >> 3));
}
