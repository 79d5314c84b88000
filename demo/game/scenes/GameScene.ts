import * as Phaser from 'phaser';
import { Dice } from '../art/dice.js';
import { visit } from '../session.js';
import { text } from '../ui/Button.js';
import { Courier } from '../world/Courier.js';
import { Course, type Thing } from '../world/Course.js';
import { Depth, VIEW_HEIGHT, VIEW_WIDTH, Y } from '../world/layout.js';
import { Minimap } from '../world/Minimap.js';
import { cameraMiddleY, Street } from '../world/Street.js';
import { art, ART_SCALE, zoomOf, zoomTo } from '../resolution.js';
import type { RideResult } from './GameOverScene.js';
import { SceneKey } from './sceneKeys.js';

/** The longest step of the game's own clock. A slow machine gets a slow ride, never a leap through a wall. */
const LONGEST_FRAME_S = 0.06;
const STEP_S = 1 / 60;
const START_SECONDS = 45;
const COUNTDOWN_S = 3.2;

/** Where the courier stands in the picture, from the left at zoom 1. */
const COURIER_X = 300;

export class GameScene extends Phaser.Scene {
  score = 0;
  delivered = 0;
  carried = 0;
  combo = 1;
  secondsLeft = START_SECONDS;
  /** Above 0 the ride has not begun. */
  countdown = COUNTDOWN_S;
  isOver = false;
  courier!: Courier;
  street!: Street;
  private course!: Course;
  private minimap!: Minimap;
  private dust!: Phaser.GameObjects.Particles.ParticleEmitter;
  private sparks!: Phaser.GameObjects.Particles.ParticleEmitter;
  private readonly focus = { x: 0, y: 0 };
  private zoom = 1;
  private ridden = 0;
  private coins = 0;
  private countdownShown = 0;

  constructor() {
    super(SceneKey.GAME);
  }

  create(): void {
    this.score = this.delivered = this.carried = this.coins = this.ridden = this.countdownShown = 0;
    this.combo = 1;
    this.secondsLeft = START_SECONDS;
    this.countdown = COUNTDOWN_S;
    this.isOver = false;
    this.zoom = 1;
    zoomTo(this.cameras.main, 1);
    const seed = visit.seed++;

    this.focus.x = VIEW_WIDTH / 2 - COURIER_X;
    this.focus.y = cameraMiddleY(1);
    const camera = this.cameras.main;
    camera.setScroll(this.focus.x - VIEW_WIDTH / 2, 0);
    this.street = new Street(this, visit.surfaces, seed);
    const { layer } = this.street;
    this.courier = new Courier(this, layer, {
      onJump: (second) => {
        visit.synth.jump();
        this.dust.emitParticleAt(this.courier.x - 20, Y.courier - this.courier.height, second ? 8 : 5);
      },
      onLand: () => this.dust.emitParticleAt(this.courier.x, Y.courier, 9),
      onDash: () => {
        visit.synth.dash();
        this.sparks.emitParticleAt(this.courier.x - 40, Y.courier - 20 - this.courier.height, 12);
      },
    });
    this.course = new Course(this, layer, new Dice(seed * 8 + 7), {
      onParcel: (thing) => this.takeParcel(thing),
      onCoin: (thing) => this.takeCoin(thing),
      onObstacle: (thing) => this.hit(thing),
      onDrop: (thing) => this.deliver(thing),
    });
    this.dust = this.add.particles(0, 0, 'puff', {
      speedX: { min: -150, max: -20 },
      speedY: { min: -40, max: 4 },
      scale: { start: 0.16 * ART_SCALE, end: 0.5 * ART_SCALE },
      alpha: { start: 0.5, end: 0 },
      lifespan: 480,
      emitting: false,
    });
    this.sparks = this.add.particles(0, 0, 'spark', {
      speed: { min: 80, max: 320 },
      scale: { start: 0.9 * ART_SCALE, end: 0 },
      lifespan: 460,
      gravityY: 300,
      blendMode: 'ADD',
      emitting: false,
    });
    layer.add([
      this.dust.setDepth(Depth.courier - 1).setName('dust'),
      this.sparks.setDepth(Depth.dropFront).setName('sparks'),
    ]);
    this.minimap = new Minimap(this, layer);

    // One bus is on its way when the picture opens, so that every ride begins with something to see.
    this.street.traffic.send('bus', this.focus.x - 640, 1, 430);
    this.street.traffic.send('taxi', this.focus.x + 800, -1, 190);

    camera.startFollow(this.focus, false, 0.16, 0.16).fadeIn(350, 11, 13, 38);
    this.bindKeys();
    this.scene.launch(SceneKey.HUD);
    this.street.update(0, 0);
  }

  override update(_time: number, delta: number): void {
    let rest = Math.min(delta / 1000, LONGEST_FRAME_S);
    this.street.update(rest, this.courier.speed);
    while (rest > 0) {
      this.step(Math.min(rest, STEP_S));
      rest -= STEP_S;
    }
    this.frameCamera();
    this.minimap.update(this.courier, this.course, this.ads.all());
  }

  pauseRide(): void {
    if (this.isOver || !this.scene.isActive()) return;
    this.scene.pause();
    this.scene.pause(SceneKey.HUD);
    this.scene.launch(SceneKey.PAUSE);
    this.scene.bringToTop(SceneKey.PAUSE);
  }

  private bindKeys(): void {
    const { keyboard } = this.input;
    for (const key of ['SPACE', 'UP', 'W'])
      keyboard?.on(`keydown-${key}`, (event: KeyboardEvent) => this.pressJump(event));
    for (const key of ['RIGHT', 'D', 'SHIFT'])
      keyboard?.on(`keydown-${key}`, (event: KeyboardEvent) => this.pressDash(event));
    for (const key of ['P', 'ESC']) keyboard?.on(`keydown-${key}`, this.pauseRide, this);
    this.input.on('pointerdown', (pointer: Phaser.Input.Pointer) => {
      if (pointer.x < this.scale.width * 0.35) this.pressDash();
      else this.pressJump();
    });
    const onHidden = () => this.pauseRide();
    this.game.events.on('hidden', onHidden);
    this.events.once('shutdown', () => this.game.events.off('hidden', onHidden));
  }

  private pressJump(event?: KeyboardEvent): void {
    if (this.countdown <= 0 && !this.isOver && event?.repeat !== true) this.courier.jump();
  }

  private pressDash(event?: KeyboardEvent): void {
    if (this.countdown <= 0 && !this.isOver && event?.repeat !== true) this.courier.dash();
  }

  private step(dt: number): void {
    const { courier } = this;
    if (this.countdown > 0) {
      this.countdown -= dt;
      this.showCountdown();
    } else if (!this.isOver) {
      this.secondsLeft = Math.max(0, this.secondsLeft - dt);
      this.ridden += dt;
      courier.cruise = Math.min(470, 300 + this.ridden * 1.9);
      if (this.secondsLeft === 0) this.end();
    } else {
      courier.cruise = 0;
    }
    courier.update(dt, this.street.sky.lamps);
    const camera = this.cameras.main;
    const middle = camera.scrollX + VIEW_WIDTH / 2;
    const half = VIEW_WIDTH / 2 / zoomOf(camera);
    if (!this.isOver) this.course.update(dt, courier, middle - half, middle + half);
  }

  private frameCamera(): void {
    const { courier } = this;
    // Faster means farther back: at full speed a sixth more of the street fits into the picture.
    const wanted = 1 - Math.min(0.14, Math.max(0, courier.speed - 120) / 2500) - (courier.isDashing ? 0.04 : 0);
    this.zoom += (wanted - this.zoom) * 0.03;
    const camera = this.cameras.main;
    zoomTo(camera, this.zoom);
    // The camera follows with its origin, and the middle of the picture is meant.
    const aside = {
      x: camera.originX * camera.width - VIEW_WIDTH / 2,
      y: camera.originY * camera.height - VIEW_HEIGHT / 2,
    };
    this.focus.x = courier.x + (VIEW_WIDTH / 2 - COURIER_X) / this.zoom + courier.speed * 0.08 + aside.x;
    this.focus.y = cameraMiddleY(this.zoom) - Math.min(46, courier.height * 0.22) + aside.y;
  }

  private showCountdown(): void {
    const step = 4 - Math.ceil(Math.max(this.countdown, 0.001) - 0.2);
    if (step === this.countdownShown || step < 1) return;
    this.countdownShown = step;
    this.shout(['3', '2', '1', 'GO!'][step - 1] ?? '', step === 4 ? '#5ff0c8' : '#ffffff', 110);
  }

  /** A large word in the middle of the picture. */
  private shout(words: string, colour: string, size: number): void {
    const word = text(this, VIEW_WIDTH / 2, 250, words, size, colour, '900')
      .setOrigin(0.5)
      .setScrollFactor(0)
      .setDepth(Depth.word);
    word.setStroke('#0b0d26', 12).setName('countdown');
    this.street.layer.add(word);
    this.tweens.add({ targets: word, scale: { from: 1.6, to: 1 }, duration: 240, ease: 'Back.out' });
    this.tweens.add({ targets: word, alpha: 0, delay: 480, duration: 220, onComplete: () => word.destroy() });
  }

  private floatWord(x: number, y: number, words: string, colour: string): void {
    const word = text(this, x, y, words, 24, colour, '900')
      .setOrigin(0.5)
      .setDepth(Depth.word)
      .setStroke('#0b0d26', 6)
      .setName('word');
    this.street.layer.add(word);
    this.tweens.add({
      targets: word,
      y: y - 70,
      alpha: { from: 1, to: 0 },
      duration: 950,
      ease: 'Cubic.out',
      onComplete: () => word.destroy(),
    });
  }

  private takeParcel(thing: Thing): void {
    this.carried++;
    this.score += 25;
    visit.synth.collect(this.carried + 3);
    this.fetch(thing);
    this.floatWord(thing.x, Y.courier - thing.height - 20, '+1 parcel', '#ffd27a');
  }

  private takeCoin(thing: Thing): void {
    this.coins++;
    this.score += 10;
    visit.synth.collect(this.coins);
    this.fetch(thing);
  }

  /** Lets what was collected fly to the courier. */
  private fetch(thing: Thing): void {
    const picture = thing.objects[0]!;
    this.sparks.emitParticleAt(picture.x, picture.y, 6);
    this.tweens.add({
      targets: picture,
      x: () => this.courier.x + 10,
      y: Y.courier - this.courier.height - 50,
      scale: 0.2 * ART_SCALE,
      alpha: 0,
      duration: 170,
      onComplete: () => picture.setVisible(false),
    });
  }

  private hit(thing: Thing): void {
    const { courier } = this;
    if (courier.isDashing) {
      this.score += 40;
      this.floatWord(thing.x, Y.courier - 90, 'SMASH +40', '#5ff0c8');
      this.cameras.main.shake(120, 0.004 * ART_SCALE);
      this.toss(thing, 1);
      return;
    }
    this.toss(thing, 0.6);
    if (courier.isSafe) return;
    courier.crash();
    visit.synth.crash();
    this.combo = 1;
    this.cameras.main.shake(260, 0.011 * ART_SCALE);
    this.sparks.emitParticleAt(thing.x, Y.courier - 30, 18);
    const lost = Math.min(2, this.carried);
    this.carried -= lost;
    this.secondsLeft = Math.max(0.01, this.secondsLeft - 2);
    this.floatWord(
      courier.x,
      Y.courier - 120,
      lost > 0 ? `-2 s  -${lost} parcel${lost > 1 ? 's' : ''}` : '-2 s',
      '#ff8f7c',
    );
    for (let i = 0; i < lost; i++) {
      const parcel = art(this.add.image(courier.x - 20, Y.courier - 70, 'parcel'))
        .setDepth(Depth.parcel)
        .setName('lost parcel');
      this.street.layer.add(parcel);
      this.tweens.add({ targets: parcel, x: parcel.x - 120 - 60 * i, angle: -260, duration: 720 });
      this.tweens.add({
        targets: parcel,
        y: { from: Y.courier - 70, to: Y.courier - 150 },
        duration: 260,
        ease: 'Quad.out',
        yoyo: true,
      });
      this.tweens.add({ targets: parcel, alpha: 0, delay: 620, duration: 240, onComplete: () => parcel.destroy() });
    }
  }

  private toss(thing: Thing, force: number): void {
    const picture = thing.objects[0]!;
    this.tweens.add({
      targets: picture,
      x: picture.x + 260 * force,
      angle: 380 * force,
      duration: 700,
      ease: 'Quad.out',
    });
    this.tweens.add({ targets: picture, y: picture.y - 190 * force, duration: 330, ease: 'Quad.out', yoyo: true });
    this.tweens.add({ targets: picture, alpha: 0, delay: 560, duration: 200 });
    this.dust.emitParticleAt(thing.x, Y.courier - 10, 6);
  }

  private deliver(thing: Thing): void {
    if (this.carried === 0) {
      this.combo = 1;
      this.floatWord(thing.x, Y.courier - 130, 'no parcels', '#cfd4ff');
      return;
    }
    const parcels = this.carried;
    const points = parcels * 100 * this.combo;
    const bonus = Math.max(0.4, 1 - this.ridden / 180) * (1 + parcels * 0.9);
    this.score += points;
    this.delivered += parcels;
    this.secondsLeft += bonus;
    this.floatWord(thing.x, Y.courier - 150, `+${points}${this.combo > 1 ? `  ×${this.combo}` : ''}`, '#5ff0c8');
    this.floatWord(thing.x + 20, Y.courier - 112, `+${bonus.toFixed(1)} s`, '#7fe3ff');
    this.combo = Math.min(5, this.combo + 1);
    this.carried = 0;
    visit.synth.deliver();
    this.sparks.emitParticleAt(thing.x, Y.courier - 40, 26);
    for (let i = 0; i < Math.min(6, parcels); i++) {
      const parcel = art(this.add.image(this.courier.x, Y.courier - 60 - this.courier.height, 'parcel'))
        .setDepth(Depth.dropFront)
        .setName('parcel');
      this.street.layer.add(parcel);
      this.tweens.add({
        targets: parcel,
        x: thing.x + 100,
        y: Y.kerb - 30,
        scale: 0.5 * ART_SCALE,
        angle: 180,
        delay: i * 60,
        duration: 320,
        ease: 'Cubic.in',
        onComplete: () => parcel.destroy(),
      });
    }
    const box = thing.objects[2];
    if (box)
      this.tweens.add({
        targets: box,
        scaleY: { from: 1.25 * ART_SCALE, to: ART_SCALE },
        scaleX: { from: 0.85 * ART_SCALE, to: ART_SCALE },
        delay: 330,
        duration: 420,
        ease: 'Elastic.out',
      });
    this.tweens.add({
      targets: [thing.objects[0], thing.objects[1]],
      alpha: 0,
      duration: 300,
      onStart: () => this.tweens.killTweensOf([thing.objects[0]!, thing.objects[1]!]),
    });
  }

  private end(): void {
    this.isOver = true;
    this.shout('TIME!', '#ffb45c', 96);
    const result: RideResult = {
      score: this.score,
      delivered: this.delivered,
      metres: Math.round(this.courier.x / 40),
    };
    this.time.delayedCall(1300, () => {
      this.cameras.main.fadeOut(350, 11, 13, 38);
      this.cameras.main.once('camerafadeoutcomplete', () => {
        // The map's frame is the HUD's.
        this.scene.stop(SceneKey.HUD);
        this.minimap.hide();
        this.scene.launch(SceneKey.GAME_OVER, result);
        this.cameras.main.fadeIn(350, 11, 13, 38);
      });
    });
  }
}
