import type { CreativeVideo } from '../../src/creative/CreativeVideo.js';

/** A video whose time a test moves. */
export class FakeVideo implements CreativeVideo {
  readonly source: unknown = null;
  readonly width: number = 320;
  readonly height: number = 180;
  currentTimeSeconds = 0;
  isPlaying = false;
  isBroken = false;
  playCount = 0;
  /** What the browser says to a wish to play. */
  refusal: Error | null = null;

  constructor(readonly durationSeconds: number) {}

  get hasEnded(): boolean {
    return this.currentTimeSeconds >= this.durationSeconds;
  }

  async play(): Promise<void> {
    this.playCount++;
    if (this.refusal !== null) throw this.refusal;
    this.isPlaying = true;
  }

  pause(): void {
    this.isPlaying = false;
  }

  close(): void {
    this.isPlaying = false;
  }

  /** It moves only while it plays. */
  pass(seconds: number): void {
    if (!this.isPlaying) return;
    this.currentTimeSeconds = Math.min(this.durationSeconds, this.currentTimeSeconds + seconds);
    if (this.hasEnded) this.isPlaying = false;
  }
}
