import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { PenMode } from '../Pen.js';
import { GraphicsRecorder } from './GraphicsRecorder.js';
import { PolygonTape } from './PolygonTape.js';

interface GraphicsObject extends DrawnObject {
  /** Codes and numbers, and a boolean in each arc. */
  readonly commandBuffer: readonly unknown[];
}

/** What a Graphics drew last, and the commands it came from. */
interface Recording {
  readonly tape: PolygonTape;
  commands: Float64Array;
  length: number;
  isWebGL: boolean;
}

const recorder = new GraphicsRecorder();
const recordings = new WeakMap<GraphicsObject, Recording>();
/** Of those that serve as masks on Canvas, where only the path at the end counts. */
const clips = new WeakMap<GraphicsObject, Recording>();

/**
 * Graphics has no bounds: its commands are played onto a tape, which is kept until they change. Comparing the commands
 * costs less than any hash of them, and is exact.
 */
export const readGraphics: ObjectReader<GraphicsObject> = (object, { pen, isWebGL }) => {
  const buffer = object.commandBuffer;
  if (buffer.length === 0) return;
  const isClip = !isWebGL && pen.mode === PenMode.MASK;
  const known = isClip ? clips : recordings;
  let recording = known.get(object);
  if (recording === undefined) {
    recording = { tape: new PolygonTape(), commands: new Float64Array(0), length: -1, isWebGL };
    known.set(object, recording);
  }
  if (!isCurrent(recording, buffer, isWebGL)) {
    copyCommands(recording, buffer);
    recording.isWebGL = isWebGL;
    recorder.record(recording.commands.subarray(0, recording.length), isWebGL, recording.tape, isClip);
  }
  recording.tape.play(pen, object.alpha);
};

function isCurrent(recording: Recording, buffer: readonly unknown[], isWebGL: boolean): boolean {
  const { commands, length } = recording;
  if (length !== buffer.length || recording.isWebGL !== isWebGL) return false;
  for (let i = 0; i < length; i++) {
    // Object.is: a missing colour becomes not-a-number, which equals nothing.
    if (!Object.is(commands[i], Number(buffer[i]))) return false;
  }
  return true;
}

function copyCommands(recording: Recording, buffer: readonly unknown[]): void {
  if (recording.commands.length < buffer.length) recording.commands = new Float64Array(2 * buffer.length);
  const { commands } = recording;
  for (let i = 0; i < buffer.length; i++) commands[i] = Number(buffer[i]);
  recording.length = buffer.length;
}
