import * as Phaser from 'phaser';
import { OVERLAY_ATTRIBUTE, visibleFragments } from 'phaser-inview';
import { GameMeter } from '../../../src/meter/GameMeter.js';
import type { AdMeasurement } from '../../../src/measure/AdMeasurement.js';

/** What is measured of the ad in one situation; plain data, to be handed out of the page. */
export interface SituationFigures {
  name: string;
  sentence: string;
  percentageInView: number;
  pixelsInView: number;
  isFullyVisible: boolean;
  reasons: readonly string[];
  blockers: readonly string[];
  polygons: number;
}

export interface SituationsPage {
  names: readonly string[];
  show(name: string): Promise<SituationFigures>;
}

declare global {
  interface Window {
    situations?: Promise<SituationsPage>;
  }
}

type Measurement = AdMeasurement<Phaser.GameObjects.GameObject, Phaser.Cameras.Scene2D.Camera>;

interface Situation {
  sentence: string;
  /** Time the scene runs before it is looked at, in milliseconds. */
  runsMs?: number;
  build(scene: Phaser.Scene, ad: Phaser.GameObjects.Image, upper: Phaser.Scene): void;
}

const WIDTH = 640;
const HEIGHT = 360;
const AD_X = 320;
const AD_Y = 170;
const LONG_MS = 1e7;
/** More polygons than this are rows of pixels, whose outlines would hide the picture. */
const MOST_OUTLINES = 80;

const situations: Readonly<Record<string, Situation>> = {
  hud: {
    sentence: 'A HUD scene above the game covers a corner of the ad with a rounded panel, a bar and a text.',
    build: (_scene, _ad, upper) => {
      const panel = upper.add.graphics().setName('HUD panel');
      panel.fillStyle(0x1b2340, 0.95).fillRoundedRect(20, 20, 300, 110, 18);
      upper.add.rectangle(170, 100, 250, 16, 0xff5c7a).setName('energy');
      upper.add.text(50, 38, 'LAP 2 / 3', { fontFamily: 'sans-serif', fontSize: '32px', fontStyle: 'bold' });
    },
  },
  art: {
    sentence:
      'A tree whose leaves are drawn with holes, and a pane of glass of 30 %: only solid texels take the ad away.',
    build: (scene) => {
      scene.add.image(250, 190, 'tree').setScale(1.3).setName('tree');
      scene.add.rectangle(420, 170, 110, 200, 0x9fd8ff, 0.3).setName('glass');
    },
  },
  particles: {
    sentence: 'Smoke in front of the ad: each puff is soft, and where several lie on each other they block together.',
    runsMs: 900,
    build: (scene) => {
      scene.add
        .particles(250, 250, 'puff', {
          speed: { min: 30, max: 120 },
          angle: { min: 230, max: 330 },
          scale: { start: 0.5, end: 1.6 },
          alpha: { start: 0.8, end: 0.3 },
          lifespan: 2000,
          frequency: 45,
          advance: 1500,
        })
        .setName('smoke');
    },
  },
  night: {
    sentence: 'Night, drawn into a render texture, and a lantern erased from it: the ad is seen where the light falls.',
    build: (scene) => {
      const night = scene.add.renderTexture(0, 0, WIDTH, HEIGHT).setOrigin(0).setName('night');
      night.fill(0x05070f, 0.92).erase('light', 180, 40);
    },
  },
  mask: {
    sentence: 'The ad in a list that scrolls: a round geometry mask on the list cuts it.',
    build: (scene, ad) => {
      const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillCircle(290, 150, 105);
      scene.add.container(0, 0, [ad]).setMask(shape.createGeometryMask());
    },
  },
  camera: {
    sentence: 'A zoomed and rotated camera, and a car in front: what hangs out of the picture is not seen.',
    build: (scene) => {
      scene.cameras.main.setZoom(1.9).setAngle(-14).setScroll(95, -10);
      scene.add.image(260, 215, 'car').setName('car');
    },
  },
  minimap: {
    sentence: 'A mini-map, a second camera with a background of its own, is drawn over the first.',
    build: (scene, ad) => {
      const map = scene.cameras.add(360, 40, 180, 130).setZoom(0.3).setBackgroundColor('#10301c');
      map.centerOn(AD_X, AD_Y).ignore(ad);
    },
  },
  fade: {
    sentence:
      'The camera fades out: at 70 % black nothing of the ad keeps half of its light, though no object covers it.',
    build: (scene) => {
      const { fadeEffect } = scene.cameras.main.fade(LONG_MS, 0, 0, 0);
      // Far into a very long fade it stands as good as still.
      (fadeEffect as unknown as { _elapsed: number })._elapsed = 0.7 * LONG_MS;
    },
  },
  dialog: {
    sentence: 'An HTML dialog lies over the canvas, which Phaser knows nothing about.',
    build: (scene) => {
      const dialog = document.createElement('div');
      dialog.textContent = 'Continue?';
      dialog.style.cssText =
        'width:200px;height:110px;background:#fff;color:#223;font:bold 24px/110px sans-serif;text-align:center';
      scene.add.dom(400, 200, dialog);
    },
  },
  free: {
    sentence: 'Objects behind the ad, beside it, invisible ones and input zones over it: nothing blocks.',
    build: (scene, ad) => {
      scene.add.rectangle(AD_X, AD_Y, 500, 260, 0x33405f).setName('wall').setDepth(-1);
      ad.setDepth(1);
      scene.add.zone(AD_X, AD_Y, 300, 200).setDepth(2).setInteractive();
      scene.add.rectangle(AD_X, AD_Y, 300, 200).setDepth(2).setInteractive();
      scene.add.image(AD_X - 180, 280, 'car').setDepth(2);
    },
  },
};

function paint(
  scene: Phaser.Scene,
  key: string,
  width: number,
  height: number,
  draw: (c: CanvasRenderingContext2D) => void,
): void {
  const texture = scene.textures.createCanvas(key, width, height)!;
  draw(texture.getContext());
  texture.refresh();
}

function drawArt(scene: Phaser.Scene): void {
  paint(scene, 'ad', 260, 150, (c) => {
    const gradient = c.createLinearGradient(0, 0, 260, 150);
    gradient.addColorStop(0, '#3b5bff');
    gradient.addColorStop(1, '#7a1fd1');
    c.fillStyle = gradient;
    c.fillRect(0, 0, 260, 150);
    c.fillStyle = '#fff';
    c.font = 'bold 44px sans-serif';
    c.fillText('TURBO', 24, 70);
    c.font = '24px sans-serif';
    c.fillText('the drink that drifts', 24, 112);
  });
  paint(scene, 'tree', 160, 200, (c) => {
    c.fillStyle = '#5b3a1e';
    c.fillRect(72, 110, 16, 90);
    c.fillStyle = '#2e8b4a';
    for (let i = 0; i < 70; i++) {
      const angle = i * 2.4;
      const radius = 8 * Math.sqrt(i);
      c.beginPath();
      c.arc(80 + radius * Math.cos(angle), 76 + radius * Math.sin(angle), 6.5, 0, 7);
      c.fill();
    }
  });
  paint(scene, 'puff', 64, 64, (c) => {
    const gradient = c.createRadialGradient(32, 32, 4, 32, 32, 32);
    gradient.addColorStop(0, 'rgba(120,125,140,1)');
    gradient.addColorStop(1, 'rgba(120,125,140,0)');
    c.fillStyle = gradient;
    c.fillRect(0, 0, 64, 64);
  });
  paint(scene, 'light', 220, 220, (c) => {
    const gradient = c.createRadialGradient(110, 110, 50, 110, 110, 110);
    gradient.addColorStop(0, 'rgba(255,255,255,1)');
    gradient.addColorStop(1, 'rgba(255,255,255,0)');
    c.fillStyle = gradient;
    c.fillRect(0, 0, 220, 220);
  });
  paint(scene, 'car', 150, 60, (c) => {
    c.fillStyle = '#2b6cff';
    c.beginPath();
    c.roundRect(0, 24, 150, 26, 10);
    c.roundRect(35, 4, 75, 28, 12);
    c.fill();
    c.fillStyle = '#111';
    for (const x of [32, 116]) {
      c.beginPath();
      c.arc(x, 48, 12, 0, 7);
      c.fill();
    }
  });
}

/** The world behind the ad. */
function drawWorld(scene: Phaser.Scene): void {
  const world = scene.add.graphics().setDepth(-2).setName('city');
  world.fillStyle(0x7fb4e6).fillRect(-400, -400, 1500, 1500);
  world.fillStyle(0x3c4a63);
  for (let i = 0; i < 12; i++) world.fillRect(i * 90 - 200, 120 - ((i * 53) % 90), 70, 400);
  world.fillStyle(0x2a2f3a).fillRect(-400, 290, 1500, 300);
}

/** A canvas above the game's, marked as an overlay so that it does not count as a cover itself. */
function openOverlay(game: Phaser.Game): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.style.cssText = 'position:absolute;left:0;top:0;pointer-events:none';
  canvas.setAttribute(OVERLAY_ATTRIBUTE, '');
  game.canvas.parentElement!.append(canvas);
  return canvas.getContext('2d')!;
}

/** Draws the polygons as computed; returns how many. */
function drawOverlay(
  context: CanvasRenderingContext2D,
  ad: Phaser.GameObjects.Image,
  measurement: Measurement,
): number {
  context.clearRect(0, 0, WIDTH, HEIGHT);
  const camera = measurement.camera ?? ad.scene.cameras.main;
  const polygons = visibleFragments(ad, camera);
  const seen = new Path2D();
  for (const polygon of polygons) {
    seen.moveTo(polygon[0]!, polygon[1]!);
    for (let i = 2; i < polygon.length; i += 2) seen.lineTo(polygon[i]!, polygon[i + 1]!);
    seen.closePath();
  }
  context.fillStyle = 'rgba(184,243,74,0.45)';
  context.fill(seen);
  if (polygons.length <= MOST_OUTLINES) {
    context.strokeStyle = '#b8f34a';
    context.stroke(seen);
  }
  const names = [...new Set(measurement.blockingSprites.map(({ name, type }) => name || type))];
  const words = [
    `${measurement.percentageInView.toFixed(1)} % in view`,
    measurement.isFullyVisible ? 'fully visible' : measurement.reasons.join(', '),
    ...(names.length > 0 ? [`blocked by ${names.join(', ')}`] : []),
  ].join('  ·  ');
  context.font = 'bold 15px sans-serif';
  context.fillStyle = 'rgba(10,12,30,0.85)';
  context.fillRect(0, HEIGHT - 28, WIDTH, 28);
  context.fillStyle = '#b8f34a';
  context.fillText(words, 10, HEIGHT - 9);
  return polygons.length;
}

async function open(): Promise<SituationsPage> {
  document.body.style.margin = '0';
  const parent = document.createElement('div');
  parent.style.cssText = `position:relative;width:${WIDTH}px;height:${HEIGHT}px`;
  document.body.append(parent);
  const game = new Phaser.Game({
    type: Phaser.WEBGL,
    width: WIDTH,
    height: HEIGHT,
    parent,
    dom: { createContainer: true },
    banner: false,
    audio: { noAudio: true },
    scene: [
      { key: 'game', active: true },
      { key: 'hud', active: true },
    ],
  });
  await new Promise<void>((resolve) => game.events.once('ready', () => resolve()));
  const [scene, upper] = game.scene.scenes as [Phaser.Scene, Phaser.Scene];
  drawArt(scene);
  const overlay = openOverlay(game);

  const show = async (name: string): Promise<SituationFigures> => {
    const situation = situations[name]!;
    for (const each of [scene, upper]) {
      for (const child of [...each.sys.displayList.list]) child.destroy();
      each.cameras.resetAll();
    }
    drawWorld(scene);
    const ad = scene.add.image(AD_X, AD_Y, 'ad').setName('ad');
    situation.build(scene, ad, upper);
    const last: { measurement?: Measurement } = {};
    const stop = GameMeter.of(game).observe(ad, (latest) => {
      last.measurement = latest;
    });
    // The page around the canvas is looked at now and then, not in every frame.
    await new Promise((resolve) => setTimeout(resolve, situation.runsMs ?? 1200));
    game.loop.sleep();
    const result = last.measurement;
    if (!result) throw new Error(`${name}: nothing was measured`);
    const polygons = drawOverlay(overlay, ad, result);
    const blockers = [...new Set(result.blockingSprites.map((object) => object.name || object.type))];
    stop();
    const { percentageInView, pixelsInView, isFullyVisible, reasons } = result;
    return {
      name,
      sentence: situation.sentence,
      percentageInView,
      pixelsInView,
      isFullyVisible,
      reasons,
      blockers,
      polygons,
    };
  };
  return {
    names: Object.keys(situations),
    show: async (name) => {
      game.loop.wake();
      return show(name);
    },
  };
}

window.situations = open();
