type Wave = OscillatorType;

/** A few short sounds made on the spot. Silent until the player switches it on; then the browser allows sound, too. */
export class Synth {
  private context: AudioContext | null = null;
  private out: GainNode | null = null;

  get isOn(): boolean {
    return this.out !== null && this.out.gain.value > 0;
  }

  /** Call it from a key press or a click only. */
  toggle(): boolean {
    if (this.context === null) {
      this.context = new AudioContext();
      this.out = this.context.createGain();
      this.out.gain.value = 0;
      this.out.connect(this.context.destination);
    }
    void this.context.resume();
    const on = !this.isOn;
    this.out!.gain.value = on ? 0.16 : 0;
    return on;
  }

  jump(): void {
    this.tone('triangle', 300, 640, 0.16);
  }

  dash(): void {
    this.tone('sawtooth', 180, 720, 0.2, 0.4);
  }

  collect(step: number): void {
    const note = 660 * 2 ** ((step % 8) / 12);
    this.tone('sine', note, note, 0.09);
    this.tone('sine', note * 1.5, note * 1.5, 0.14, 0.7, 0.06);
  }

  deliver(): void {
    [523, 659, 784, 1047].forEach((note, i) => this.tone('triangle', note, note, 0.2, 0.9, i * 0.07));
  }

  crash(): void {
    this.tone('square', 160, 42, 0.35, 0.9);
  }

  private tone(wave: Wave, from: number, to: number, seconds: number, loudness = 0.8, delay = 0): void {
    if (!this.context || !this.out || !this.isOn) return;
    const at = this.context.currentTime + delay;
    const oscillator = this.context.createOscillator();
    const envelope = this.context.createGain();
    oscillator.type = wave;
    oscillator.frequency.setValueAtTime(from, at);
    oscillator.frequency.exponentialRampToValueAtTime(to, at + seconds);
    envelope.gain.setValueAtTime(loudness, at);
    envelope.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    oscillator.connect(envelope).connect(this.out);
    oscillator.start(at);
    oscillator.stop(at + seconds);
  }
}
