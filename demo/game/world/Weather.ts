import type * as Phaser from 'phaser';
import type { Dice } from '../art/dice.js';
import { ART_SCALE } from '../resolution.js';
import { Depth } from './layout.js';

export type WeatherKind = 'clear' | 'rain' | 'snow' | 'leaves';

const WEATHER_S = 20;

/** Rain, snow or leaves over the whole picture, changing every 20 seconds. */
export class Weather {
  kind: WeatherKind = 'clear';
  private readonly emitters: Readonly<
    Record<Exclude<WeatherKind, 'clear'>, Phaser.GameObjects.Particles.ParticleEmitter>
  >;
  private readonly plan: readonly WeatherKind[];
  private seconds = 0;

  constructor(scene: Phaser.Scene, layer: Phaser.GameObjects.Layer, dice: Dice) {
    const wide = { min: -160, max: 1400 };
    const emitter = (
      name: string,
      texture: string,
      config: Phaser.Types.GameObjects.Particles.ParticleEmitterConfig,
    ) => {
      const made = scene.add
        .particles(0, 0, texture, { ...config, emitting: false })
        .setScrollFactor(0)
        .setDepth(Depth.weather)
        .setName(name);
      layer.add(made);
      return made;
    };
    this.emitters = {
      rain: emitter('rain', 'raindrop', {
        x: wide,
        y: -150,
        speedX: -150,
        speedY: 900,
        lifespan: 900,
        frequency: 12,
        quantity: 2,
        alpha: 0.2,
        rotate: 9,
        scaleX: ART_SCALE,
        scaleY: { min: 0.6 * ART_SCALE, max: 1.3 * ART_SCALE },
      }),
      snow: emitter('snow', 'flake', {
        x: wide,
        y: -150,
        speedX: { min: -90, max: -20 },
        speedY: { min: 70, max: 130 },
        lifespan: 7500,
        frequency: 60,
        scale: { min: 0.25 * ART_SCALE, max: 0.7 * ART_SCALE },
        alpha: 0.95,
      }),
      leaves: emitter('leaves', 'leaf', {
        x: wide,
        y: -120,
        speedX: { min: -240, max: -120 },
        speedY: { min: 50, max: 110 },
        lifespan: 6500,
        frequency: 260,
        rotate: { start: 0, end: 540 },
        scale: { min: 0.5 * ART_SCALE, max: 0.95 * ART_SCALE },
        tint: [0xffffff, 0xffd08a, 0xff9f9f],
      }),
    };
    const wet: WeatherKind = dice.chance(0.5) ? 'rain' : 'snow';
    this.plan = ['clear', 'leaves', wet, 'clear', wet === 'rain' ? 'snow' : 'rain'];
  }

  /** @param rushPx how far the camera moved to the right since the last frame; it drives the weather leftwards. */
  update(dtSeconds: number, rushPx: number): void {
    this.seconds += dtSeconds;
    const kind = this.plan[Math.floor(this.seconds / WEATHER_S) % this.plan.length] ?? 'clear';
    if (kind !== this.kind) this.change(kind);
    if (this.kind === 'clear' || rushPx === 0) return;
    // Nearness of what falls: it passes a little faster than the street.
    this.emitters[this.kind].forEachAlive((particle) => {
      particle.x -= rushPx * 0.8;
      if (particle.x < -200) particle.x += 1560;
    }, this);
  }

  private change(kind: WeatherKind): void {
    this.kind = kind;
    for (const [name, emitter] of Object.entries(this.emitters)) {
      if (name === kind) emitter.start();
      else emitter.stop();
    }
  }
}
