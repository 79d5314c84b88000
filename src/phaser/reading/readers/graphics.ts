import type * as Phaser from 'phaser';

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
  /** The colour left over that it was filled with, as one number; not-a-number where all was filled with its own. */
  leftOver: number;
}

const recorder = new GraphicsRecorder();
const recordings = new WeakMap<GraphicsObject, Recording>();
/** Of those that serve as masks on Canvas, where only the path at the end counts. */
const clips = new WeakMap<GraphicsObject, Recording>();

/**
 * Graphics has no bounds: its commands are played onto a tape, which is kept until they change. Comparing the commands
 * costs less than any hash of them, and is exact.
 */
export const readGraphics: ObjectReader<GraphicsObject> = (object, { pen, camera, isWebGL }) => {
  const buffer = object.commandBuffer;
  if (buffer.length === 0) return;
  const isClip = !isWebGL && pen.mode === PenMode.MASK;
  const known = isClip ? clips : recordings;
  let recording = known.get(object);
  if (recording === undefined) {
    recording = { tape: new PolygonTape(), commands: new Float64Array(0), length: -1, isWebGL, leftOver: NaN };
    known.set(object, recording);
  }
  const color = isWebGL || isClip ? OPAQUE_BLACK : leftOverBy(camera, object.scene);
  if (!isCurrent(recording, buffer, isWebGL) || (recording.leftOver !== color && !Number.isNaN(recording.leftOver))) {
    copyCommands(recording, buffer);
    recording.isWebGL = isWebGL;
    const commands = recording.commands.subarray(0, recording.length);
    recorder.record(commands, isWebGL, recording.tape, isClip, color % 0x1000000, Math.floor(color / 0x1000000) / 255);
    recording.leftOver = recorder.usesLeftOver ? color : NaN;
  }
  recording.tape.play(pen, object.alpha);
};

const OPAQUE_BLACK = 0xff000000;

/**
 * What Canvas filled last before the camera's first object, 0xAARRGGBB: the camera's background, or that of the game. Each
 * object puts back the colour it found (`CanvasRenderer.render`).
 */
function leftOverBy(camera: Phaser.Cameras.Scene2D.Camera, scene: Phaser.Scene | null | undefined): number {
  let background = camera.backgroundColor;
  if (camera.transparent) {
    const config = scene?.sys.game.config;
    if (!config || config.transparent) return OPAQUE_BLACK;
    background = config.backgroundColor;
  }
  if (!background) return OPAQUE_BLACK;
  return background.alpha * 0x1000000 + background.color;
}

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
